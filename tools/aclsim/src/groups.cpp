// Task groups, and replacing the tasks of one: as many, of the same kinds, in the same order.
#include <acl/acl.h>

#include "device.h"

namespace aclsim {
namespace {

Stream *captured(void *handle, const char *function, aclError *error) {
  Stream *stream = stream_of(handle);
  *error = ACL_SUCCESS;
  if (!stream) *error = refuse(Rule::handle, std::string(function) + ": the stream is not there");
  else if (!stream->capture)
    *error = refuse(Rule::not_captured, std::string(function) + " on stream " + std::to_string(stream->id));
  return *error ? nullptr : stream;
}

// Buffers that the replaced task wrote and the new one does not: readers of the graph would keep reading the old ones.
bool moves_output(const Task &before, const Task &after) {
  for (const Range &old : before.ranges) {
    bool kept = !old.written;
    for (const Range &now : after.ranges) kept = kept || (now.written && now.data == old.data);
    if (!kept) return true;
  }
  return false;
}

std::string apply(const std::shared_ptr<Model> &model, const std::shared_ptr<Group> &group, std::vector<Task> tasks) {
  Lock lock(device().mutex);
  for (size_t i = 0; i < tasks.size(); ++i) {
    Task &task = model->nodes[group->nodes[i]].task;
    if (moves_output(task, tasks[i])) {
      model->moved_outputs += 1;
      remember("aclsim warning: the update of task " + task.name + " in graph " + std::to_string(model->id) +
               " writes another buffer; tasks after it read the old one");
    }
    task = tasks[i];
  }
  model->updates += 1;
  return "";
}

}  // namespace

int32_t collect_update(Stream *stream, Task task) {
  Update &update = *stream->update;
  if (task.kind == Kind::record || task.kind == Kind::wait || task.kind == Kind::reset)
    return refuse(Rule::update_kind, std::string("an event task ") + task.name + " inside an update");
  const size_t at = update.tasks.size();
  if (at == update.group->nodes.size())
    return refuse(Rule::update_count, "task " + task.name + " is one more than the group's " + std::to_string(at));
  const Task &old = update.model->nodes[update.group->nodes[at]].task;
  if (old.kind != task.kind || old.name != task.name)
    return refuse(Rule::update_kind, "task " + task.name + " (" + word_of(task.kind) + ") in the place of " + old.name +
                                         " (" + word_of(old.kind) + ")");
  update.tasks.push_back(std::move(task));
  return 0;
}

}  // namespace aclsim

using namespace aclsim;

aclError aclmdlRICaptureTaskGrpBegin(aclrtStream handle) {
  Lock lock(device().mutex);
  aclError error;
  Stream *stream = captured(handle, "aclmdlRICaptureTaskGrpBegin", &error);
  if (!stream) return error;
  Model *model = stream->capture.get();
  if (model->open.count(stream)) return refuse_capture(model, Rule::group_status, "a task group begins inside another");
  model->open[stream] = std::make_shared<Group>(Group{model, {}});
  return ACL_SUCCESS;
}

aclError aclmdlRICaptureTaskGrpEnd(aclrtStream handle, aclrtTaskGrp *out) {
  Lock lock(device().mutex);
  aclError error;
  Stream *stream = captured(handle, "aclmdlRICaptureTaskGrpEnd", &error);
  if (!stream) return error;
  Model *model = stream->capture.get();
  const auto open = model->open.find(stream);
  if (open == model->open.end()) return refuse_capture(model, Rule::group_status, "a task group ends that never began");
  model->groups.insert(open->second);
  device().groups[open->second.get()] = open->second;
  *out = reinterpret_cast<aclrtTaskGrp>(open->second.get());
  model->open.erase(open);
  return ACL_SUCCESS;
}

aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream handle, aclrtTaskGrp group) {
  Lock lock(device().mutex);
  Stream *stream = stream_of(handle);
  const auto found = device().groups.find(reinterpret_cast<Group *>(group));
  if (!stream || found == device().groups.end())
    return refuse(Rule::handle, "update of a stream or group that is not there");
  if (stream->capture || stream->update)
    return refuse(Rule::update_status, "update begins on stream " + std::to_string(stream->id) +
                                           (stream->capture ? ", which is in capture" : " inside another update"));
  const auto model = device().models.find(found->second->model);
  if (model == device().models.end()) return refuse(Rule::handle, "update of a graph that is not complete");
  stream->update.reset(new Update{found->second, model->second, {}});
  return ACL_SUCCESS;
}

aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream handle) {
  Lock lock(device().mutex);
  Stream *stream = stream_of(handle);
  if (!stream || !stream->update) return refuse(Rule::update_status, "update ends on a stream where none began");
  const std::unique_ptr<Update> update = std::move(stream->update);
  const size_t wanted = update->group->nodes.size(), given = update->tasks.size();
  if (given != wanted)
    return refuse(Rule::update_count, std::to_string(given) + " tasks for a group of " + std::to_string(wanted));
  auto model = update->model;
  auto group = update->group;
  auto tasks = std::make_shared<std::vector<Task>>(std::move(update->tasks));
  return launch_locked(stream, Task{"task update", Kind::update, {}, [=] { return apply(model, group, *tasks); }});
}
