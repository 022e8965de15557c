// The workers: each stream's thread takes its tasks in order, and stops at the first that fails.
#include "device.h"
#include "settings.h"

namespace aclsim {

const char *word_of(Kind kind) {
  static const char *const words[] = {"aicore", "aicpu", "copy",  "set",    "host",
                                      "record", "wait",  "reset", "replay", "update"};
  return words[static_cast<int>(kind)];
}

Device &device() {
  static Device *made = [] {
    auto *fresh = new Device;  // outlives every worker thread
    fresh->fallback = new Stream{0, true};
    fresh->streams.insert(fresh->fallback);
    return fresh;
  }();
  return *made;
}

Stream *stream_of(void *handle) {
  Device &d = device();
  if (!handle) return d.fallback;
  auto found = d.streams.find(static_cast<Stream *>(handle));
  return found == d.streams.end() ? nullptr : *found;
}

namespace {

Rule rule_of(Kind kind) { return kind == Kind::aicpu ? Rule::aicpu : Rule::kernel; }

std::string problem_in(const Task &task) {
  for (const Range &range : task.ranges) {
    const std::string problem = problem_of(range, task.kind == Kind::copy || task.kind == Kind::set);
    if (!problem.empty()) return problem;
  }
  return "";
}

Failure failed(Rule rule, const Task &task, const std::string &problem) {
  Failure failure;
  failure.text = "task " + task.name + " " + problem;
  failure.code = refuse(rule, failure.text);
  return failure;
}

void finish(const Task &task, const Failure &failure) {
  if (task.kind == Kind::record) {
    task.event->completed = std::max(task.event->completed, task.ticket);
    task.event->time = std::chrono::steady_clock::now();
    task.event->failure = failure;
    task.event->set = true;
  } else if (task.kind == Kind::reset) {
    task.event->set = false;
  }
}

void work(Stream *stream) {
  Device &d = device();
  Lock lock(d.mutex);
  for (;;) {
    d.changed.wait(lock, [&] { return stream->closing || !stream->queue.empty(); });
    if (stream->queue.empty()) return;
    const Task task = std::move(stream->queue.front());
    stream->queue.pop_front();
    stream->busy = true;
    if (!stream->failure.code) stream->failure = run(lock, task);
    finish(task, stream->failure);
    stream->busy = false;
    d.changed.notify_all();
  }
}

}  // namespace

Failure run_wait(Lock &lock, const Task &task) {
  Event *event = task.event;
  const auto ready = [&] { return event->external ? event->set : event->completed >= task.ticket; };
  const auto limit = std::chrono::duration<double>(settings().wait_seconds);
  if (!device().changed.wait_for(lock, limit, ready)) return failed(Rule::wait_timeout, task, "waited in vain");
  return event->external ? Failure{} : event->failure;
}

Failure run(Lock &lock, const Task &task) {
  if (task.kind == Kind::wait) return run_wait(lock, task);
  if (task.kind == Kind::replay) return replay(lock, *task.model);
  if (task.kind == Kind::record || task.kind == Kind::reset) return {};
  device().launched[task.name] += 1;
  lock.unlock();
  std::string problem = problem_in(task);
  const bool reached = problem.empty();
  if (reached) problem = task.work();
  lock.lock();
  if (problem.empty()) return {};
  return failed(reached ? rule_of(task.kind) : Rule::address, task, problem);
}

int32_t launch(void *handle, Task task) {
  Lock lock(device().mutex);
  Stream *stream = stream_of(handle);
  if (!stream) return refuse(Rule::handle, "task " + task.name + " was launched on a stream that is not there");
  const int32_t code = launch_locked(stream, std::move(task));
  const bool waits = settings().launch_blocking && !code && !stream->capture && !stream->update;
  return waits ? drain(lock, stream) : code;
}

int32_t launch_locked(Stream *stream, Task task) {
  Device &d = device();
  if (stream->update) return collect_update(stream, std::move(task));
  if (stream->capture) return capture_task(stream, std::move(task));
  if (stream->is_default && !d.capturing.empty())
    return refuse_capture(*d.capturing.begin(), Rule::default_stream, "task " + task.name + " on the default stream");
  if (task.kind == Kind::record) {
    task.ticket = ++task.event->issued;
    task.event->capture = nullptr;
  }
  stream->queue.push_back(std::move(task));
  if (!stream->worker.joinable()) stream->worker = std::thread(work, stream);
  d.changed.notify_all();
  return 0;
}

int32_t drain(Lock &lock, Stream *stream) {
  device().changed.wait(lock, [&] { return stream->queue.empty() && !stream->busy; });
  if (!stream->failure.code) return 0;
  remember("aclsim " + std::to_string(stream->failure.code) + ": stream " + std::to_string(stream->id) +
           " stopped: " + stream->failure.text);
  return stream->failure.code;
}

}  // namespace aclsim
