// What capture does with a task, and what it refuses.
#include <algorithm>

#include "device.h"
#include "settings.h"

namespace aclsim {
namespace {

constexpr int kThreadLocal = 1, kRelaxed = 2;  // of aclmdlRICaptureMode

size_t slot_of(Model &model, Stream *stream) {
  return std::find(model.streams.begin(), model.streams.end(), stream) - model.streams.begin();
}

void join(const std::shared_ptr<Model> &model, Stream *stream) {
  stream->capture = model;
  model->streams.push_back(stream);
  model->stream_ids.push_back(stream->id);
}

size_t append(Model &model, Stream *stream, Task task) {
  Node node{std::move(task), slot_of(model, stream), {}};
  const auto tail = model.tail.find(node.stream);
  if (tail != model.tail.end()) node.after.push_back(tail->second);
  model.tail[node.stream] = model.nodes.size();
  model.nodes.push_back(std::move(node));
  return model.nodes.size() - 1;
}

// A wait is a fork when its stream is not in the capture yet, a join when it is.
int32_t capture_wait(Stream *stream, Task task) {
  Event *event = task.event;
  if (event->external) {
    append(*stream->capture, stream, std::move(task));
    return 0;
  }
  if (!event->capture)
    return refuse_capture(stream->capture.get(), Rule::dependency,
                          "stream " + std::to_string(stream->id) + " waits for an event recorded before its capture");
  if (event->capture != stream->capture)
    return refuse_capture(stream->capture.get(), Rule::conflict,
                          "stream " + std::to_string(stream->id) + " waits for an event of graph " +
                              std::to_string(event->capture->id));
  Model &model = *stream->capture;
  const size_t from = event->node;
  model.nodes[append(model, stream, std::move(task))].after.push_back(from);
  return 0;
}

bool admitted(Kind kind) { return kind == Kind::aicore; }

}  // namespace

thread_local int exchanged_mode = -1;

int32_t refuse_capture(Model *model, Rule rule, const std::string &what) {
  const std::string where = "graph " + std::to_string(model->id) + ": " + what;
  const int32_t code = refuse(rule, where);
  if (model->state == State::active) {
    model->state = State::invalidated;
    model->reason = where;
  }
  return code;
}

int32_t check_unsafe(const char *function) {
  const auto self = std::this_thread::get_id();
  for (Model *model : device().capturing) {
    const int mode = exchanged_mode < 0 ? model->mode : exchanged_mode;
    const bool own = model->thread == self;
    const bool spared = model->mode == kRelaxed || mode == kRelaxed ||
                        (!own && (model->mode == kThreadLocal || mode == kThreadLocal));
    if (!spared) return refuse_capture(model, Rule::unsafe_in_capture, std::string(function) + " was called");
  }
  return 0;
}

int32_t capture_task(Stream *stream, Task task) {
  const std::shared_ptr<Model> model = stream->capture;
  if (model->state == State::invalidated)
    return refuse(Rule::invalidated, "graph " + std::to_string(model->id) + ": " + model->reason);
  if (settings().launch_blocking && model->mode != kRelaxed)
    return refuse_capture(model.get(), Rule::block_async, "task " + task.name + " would have to wait for itself");
  const auto open = model->open.find(stream);
  if (open != model->open.end() && !admitted(task.kind))
    return refuse_capture(model.get(), Rule::group_kind,
                          "task " + task.name + " of kind " + word_of(task.kind) + " in a task group");
  if (task.kind == Kind::replay)
    return refuse_capture(model.get(), Rule::replay_in_capture,
                          "graph " + std::to_string(task.model->id) + " was executed on a stream in capture");
  if (task.kind == Kind::wait) return capture_wait(stream, std::move(task));
  Event *event = task.kind == Kind::record ? task.event : nullptr;
  const size_t node = append(*model, stream, std::move(task));
  if (event && !event->external) {
    event->capture = model;
    event->node = node;
  }
  if (open != model->open.end()) {
    model->nodes[node].grouped = true;
    open->second->nodes.push_back(node);
  }
  return 0;
}

// A stream outside captures that waits for an event of one joins it.
int32_t fork_into(Stream *stream, Event *event) {
  const std::shared_ptr<Model> model = event->capture;
  if (stream->is_default)
    return refuse_capture(model.get(), Rule::default_stream, "the default stream waits for a captured event");
  join(model, stream);
  Task task{"wait", Kind::wait, {}, {}, event};
  return capture_wait(stream, std::move(task));
}

}  // namespace aclsim
