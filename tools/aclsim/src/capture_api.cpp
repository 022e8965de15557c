// The aclmdlRI functions: begin and end of capture, execution and the end of a graph.
#include <acl/acl.h>

#include <algorithm>
#include <cstdio>

#include "device.h"
#include "settings.h"

namespace aclsim {
namespace {

std::string graph(const Model &model) { return "graph " + std::to_string(model.id); }

// Nodes that the last node of the origin waits for, directly or not.
std::vector<bool> joined(const Model &model) {
  std::vector<bool> reached(model.nodes.size(), false);
  const auto tail = model.tail.find(0);
  std::vector<size_t> open;
  if (tail != model.tail.end()) open.push_back(tail->second);
  while (!open.empty()) {
    const size_t node = open.back();
    open.pop_back();
    if (reached[node]) continue;
    reached[node] = true;
    open.insert(open.end(), model.nodes[node].after.begin(), model.nodes[node].after.end());
  }
  return reached;
}

int32_t check_joined(Model &model) {
  const std::vector<bool> reached = joined(model);
  for (const auto &[stream, node] : model.tail)
    if (!reached[node])
      return refuse_capture(&model, Rule::unjoined, "stream " + std::to_string(model.stream_ids[stream]) +
                                                        " has not rejoined; its last task is " +
                                                        model.nodes[node].task.name);
  return 0;
}

// A graph holds a device stream for each captured one, and more where one stream cannot hold its tasks.
size_t budget_of(const Model &model) {
  std::vector<size_t> tasks(model.stream_ids.size());
  for (const Node &node : model.nodes) tasks[node.stream] += 1;
  const size_t room = settings().tasks_of_stream;
  size_t sum = 0;
  for (size_t count : tasks) sum += std::max<size_t>(1, (count + room - 1) / room);
  return sum;
}

int32_t check_budget(Model &model) {
  Device &d = device();
  const size_t wanted = budget_of(model), held = d.streams.size() - 1 + d.budget;
  if (held + wanted > settings().streams)
    return refuse_capture(&model, Rule::no_stream, "needs " + std::to_string(wanted) + " streams, " +
                                                       std::to_string(held) + " of " +
                                                       std::to_string(settings().streams) + " are taken");
  model.budget = wanted;
  d.budget += wanted;
  return 0;
}

int32_t check_end(Stream *stream, Model &model) {
  if (model.origin != stream)
    return refuse_capture(&model, Rule::unmatched, "capture ends on stream " + std::to_string(stream->id) +
                                                       ", it began on " + std::to_string(model.origin->id));
  if (model.mode != ACL_MODEL_RI_CAPTURE_MODE_RELAXED && model.thread != std::this_thread::get_id())
    return refuse_capture(&model, Rule::wrong_thread, "capture ends on another thread");
  return 0;
}

int32_t check_whole(Model &model) {
  if (model.state == State::invalidated) return refuse(Rule::invalidated, model.reason);
  if (!model.open.empty()) return refuse_capture(&model, Rule::group_open, "a task group is open");
  if (const int32_t code = check_joined(model)) return code;
  return check_budget(model);
}

void leave(Model &model) {
  for (Stream *stream : model.streams) stream->capture.reset();
  model.streams.clear();
  device().capturing.erase(&model);
}

void write_trace(const Model &model, const std::string &path) {
  if (FILE *file = std::fopen(path.c_str(), "w")) {
    std::fputs(trace_of(model).c_str(), file);
    std::fclose(file);
  }
}

std::shared_ptr<Model> complete_model(aclmdlRI handle) {
  const auto found = device().models.find(static_cast<Model *>(handle));
  return found == device().models.end() ? nullptr : found->second;
}

bool in_capture(aclmdlRI handle) { return device().capturing.count(static_cast<Model *>(handle)) != 0; }

}  // namespace
}  // namespace aclsim

using namespace aclsim;

aclError aclmdlRICaptureBegin(aclrtStream handle, aclmdlRICaptureMode mode) {
  Device &d = device();
  Lock lock(d.mutex);
  Stream *stream = stream_of(handle);
  if (!stream) return refuse(Rule::handle, "capture of a stream that is not there");
  if (stream->is_default) return refuse(Rule::begin_default_stream, "capture began on the default stream");
  if (stream->capture) return refuse(Rule::begin_captured, "capture began on stream " + std::to_string(stream->id));
  auto model = std::make_shared<Model>();
  model->id = ++d.model_ids;
  model->mode = mode;
  model->thread = std::this_thread::get_id();
  model->origin = stream;
  model->streams = {stream};
  model->stream_ids = {stream->id};
  stream->capture = model;
  d.capturing.insert(model.get());
  return ACL_SUCCESS;
}

aclError aclmdlRICaptureGetInfo(aclrtStream handle, aclmdlRICaptureStatus *status, aclmdlRI *out) {
  Lock lock(device().mutex);
  Stream *stream = stream_of(handle);
  if (!stream) return refuse(Rule::handle, "capture state of a stream that is not there");
  Model *model = stream->capture.get();
  if (status)
    *status = !model                               ? ACL_MODEL_RI_CAPTURE_STATUS_NONE
              : model->state == State::invalidated ? ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED
                                                   : ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
  if (out) *out = model;
  return ACL_SUCCESS;
}

aclError aclmdlRICaptureEnd(aclrtStream handle, aclmdlRI *out) {
  Device &d = device();
  Lock lock(d.mutex);
  Stream *stream = stream_of(handle);
  *out = nullptr;
  if (!stream || !stream->capture) return refuse(Rule::not_captured, "capture ended on a stream that is not captured");
  const std::shared_ptr<Model> model = stream->capture;
  if (const int32_t code = check_end(stream, *model)) return code;
  const int32_t code = check_whole(*model);
  leave(*model);
  if (code) return code;
  model->state = State::complete;
  d.models[model.get()] = model;
  *out = model.get();
  const std::string &folder = settings().traces;
  if (!folder.empty()) write_trace(*model, folder + "/graph_" + std::to_string(model->id) + ".json");
  return ACL_SUCCESS;
}

aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode *mode) {
  const int before = exchanged_mode < 0 ? ACL_MODEL_RI_CAPTURE_MODE_GLOBAL : exchanged_mode;
  exchanged_mode = *mode;
  *mode = static_cast<aclmdlRICaptureMode>(before);
  return ACL_SUCCESS;
}

aclError aclmdlRIExecuteAsync(aclmdlRI handle, aclrtStream stream) {
  Lock lock(device().mutex);
  Stream *found = stream_of(stream);
  if (in_capture(handle)) return refuse(Rule::model_captured, graph(*static_cast<Model *>(handle)) + " was executed");
  const std::shared_ptr<Model> model = complete_model(handle);
  if (!model || !found) return refuse(Rule::handle, "a graph or stream that is not there was executed");
  return launch_locked(found, Task{graph(*model), Kind::replay, {}, {}, nullptr, 0, model});
}

aclError aclmdlRIDestroy(aclmdlRI handle) {
  Device &d = device();
  Lock lock(d.mutex);
  const std::shared_ptr<Model> model = complete_model(handle);
  if (!model) return refuse(Rule::handle, "a graph that is not there was destroyed");
  d.budget -= model->budget;
  for (const auto &group : model->groups) d.groups.erase(group.get());
  d.models.erase(model.get());
  return ACL_SUCCESS;
}

aclError aclmdlRIGetId(aclmdlRI handle, uint32_t *id) {
  Lock lock(device().mutex);
  if (!in_capture(handle) && !complete_model(handle))
    return refuse(Rule::handle, "the id of a graph that is not there");
  *id = static_cast<Model *>(handle)->id;
  return ACL_SUCCESS;
}

aclError aclmdlRIDebugJsonPrint(aclmdlRI handle, const char *path, uint32_t) {
  Lock lock(device().mutex);
  const std::shared_ptr<Model> model = complete_model(handle);
  if (!model) return refuse(Rule::handle, "the trace of a graph that is not there");
  write_trace(*model, path);
  return ACL_SUCCESS;
}
