// Events: a wait is for the record that was issued last before it; external events are set and reset by tasks.
#include <acl/acl.h>

#include "device.h"
#include "settings.h"

namespace aclsim {
namespace {

Event *event_of(aclrtEvent handle) {
  const auto found = device().events.find(static_cast<Event *>(handle));
  return found == device().events.end() ? nullptr : *found;
}

int32_t create(aclrtEvent *out, uint32_t flag) {
  Device &d = device();
  Lock lock(d.mutex);
  if (d.events.size() >= settings().events)
    return refuse(Rule::no_event, "all " + std::to_string(d.events.size()) + " events are taken");
  auto *event = new Event;
  event->external = flag & ACL_EVENT_EXTERNAL;
  d.events.insert(event);
  *out = event;
  return 0;
}

int32_t check_open(Event *event, const char *function) {
  if (!event) return refuse(Rule::handle, std::string(function) + ": the event is not there");
  if (event->capture && event->capture->state != State::complete)
    return refuse_capture(event->capture.get(), Rule::event_captured, function);
  return 0;
}

}  // namespace
}  // namespace aclsim

using namespace aclsim;

aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag) { return create(event, flag); }
aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag) { return create(event, flag); }

aclError aclrtDestroyEvent(aclrtEvent handle) {
  Lock lock(device().mutex);
  Event *event = event_of(handle);
  if (!event) return refuse(Rule::handle, "an event that is not there was destroyed");
  device().events.erase(event);  // the object stays: tasks that name it may still run
  return ACL_SUCCESS;
}

aclError aclrtRecordEvent(aclrtEvent handle, aclrtStream stream) {
  Lock lock(device().mutex);
  Event *event = event_of(handle);
  Stream *found = stream_of(stream);
  if (!event || !found) return refuse(Rule::handle, "an event was recorded that, or on a stream that, is not there");
  return launch_locked(found, Task{"record", Kind::record, {}, {}, event});
}

aclError aclrtResetEvent(aclrtEvent handle, aclrtStream stream) {
  Lock lock(device().mutex);
  Event *event = event_of(handle);
  Stream *found = stream_of(stream);
  if (!event || !found) return refuse(Rule::handle, "an event was reset that, or on a stream that, is not there");
  if (!event->external) return ACL_SUCCESS;
  return launch_locked(found, Task{"reset", Kind::reset, {}, {}, event});
}

aclError aclrtStreamWaitEvent(aclrtStream handle, aclrtEvent waited) {
  Lock lock(device().mutex);
  Event *event = event_of(waited);
  Stream *stream = stream_of(handle);
  if (!event || !stream) return refuse(Rule::handle, "a stream waits that, or for an event that, is not there");
  const bool forks = !event->external && event->capture && event->capture->state != State::complete;
  if (forks && !stream->capture) return fork_into(stream, event);
  return launch_locked(stream, Task{"wait", Kind::wait, {}, {}, event, event->issued});
}

aclError aclrtSynchronizeEvent(aclrtEvent handle) {
  Lock lock(device().mutex);
  Event *event = event_of(handle);
  if (const int32_t code = check_open(event, "aclrtSynchronizeEvent")) return code;
  const Failure failure = run_wait(lock, Task{"aclrtSynchronizeEvent", Kind::wait, {}, {}, event, event->issued});
  if (failure.code) remember("aclsim " + std::to_string(failure.code) + ": " + failure.text);
  return failure.code;
}

aclError aclrtQueryEventStatus(aclrtEvent handle, aclrtEventRecordedStatus *status) {
  Lock lock(device().mutex);
  Event *event = event_of(handle);
  if (const int32_t code = check_open(event, "aclrtQueryEventStatus")) return code;
  const bool complete = event->completed >= event->issued;
  *status = complete ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtQueryEventWaitStatus(aclrtEvent handle, aclrtEventWaitStatus *status) {
  Lock lock(device().mutex);
  Event *event = event_of(handle);
  if (const int32_t code = check_open(event, "aclrtQueryEventWaitStatus")) return code;
  *status = event->completed >= event->issued ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtEventElapsedTime(float *milliseconds, aclrtEvent from, aclrtEvent to) {
  Lock lock(device().mutex);
  Event *first = event_of(from), *last = event_of(to);
  if (!first || !last || !first->completed || !last->completed)
    return refuse(Rule::parameter, "the time between events that were not both recorded");
  *milliseconds = std::chrono::duration<float, std::milli>(last->time - first->time).count();
  return ACL_SUCCESS;
}
