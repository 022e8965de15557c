// Streams and events as acl offers them.
#include <acl/acl.h>

#include "device.h"
#include "settings.h"

namespace aclsim {
namespace {

std::string name(const Stream *stream) { return "stream " + std::to_string(stream->id); }

// A captured stream cannot be looked at from outside, and trying ends its capture.
int32_t check_open(Stream *stream, const char *function) {
  if (!stream) return refuse(Rule::handle, std::string(function) + ": the stream is not there");
  if (stream->capture)
    return refuse_capture(stream->capture.get(), Rule::stream_captured, std::string(function) + " on " + name(stream));
  return 0;
}

int32_t create(aclrtStream *out) {
  Device &d = device();
  Lock lock(d.mutex);
  const size_t held = d.streams.size() - 1 + d.budget;
  if (held >= settings().streams) return refuse(Rule::no_stream, "all " + std::to_string(held) + " streams are taken");
  auto *stream = new Stream{++d.stream_ids};
  d.streams.insert(stream);
  *out = stream;
  return 0;
}

int32_t destroy(aclrtStream handle) {
  Device &d = device();
  Lock lock(d.mutex);
  Stream *stream = stream_of(handle);
  if (!stream || stream->is_default) return refuse(Rule::handle, "a stream that is not there was destroyed");
  if (const int32_t code = check_open(stream, "aclrtDestroyStream")) return code;
  drain(lock, stream);
  stream->closing = true;
  d.streams.erase(stream);
  d.changed.notify_all();
  lock.unlock();
  if (stream->worker.joinable()) stream->worker.join();
  delete stream;
  return 0;
}

int32_t synchronize(aclrtStream handle, const char *function) {
  Lock lock(device().mutex);
  Stream *stream = stream_of(handle);
  if (const int32_t code = check_open(stream, function)) return code;
  return drain(lock, stream);
}

int32_t synchronize_device(const char *function) {
  Device &d = device();
  Lock lock(d.mutex);
  for (Model *model : d.capturing) return refuse_capture(model, Rule::device_captured, function);
  int32_t code = 0;
  const std::vector<Stream *> all(d.streams.begin(), d.streams.end());
  for (Stream *stream : all)
    if (d.streams.count(stream))
      if (const int32_t failed = drain(lock, stream)) code = failed;
  return code;
}

}  // namespace
}  // namespace aclsim

using namespace aclsim;

aclError aclrtCreateStream(aclrtStream *stream) { return create(stream); }
aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t, uint32_t) { return create(stream); }
aclError aclrtDestroyStream(aclrtStream stream) { return destroy(stream); }
aclError aclrtDestroyStreamForce(aclrtStream stream) { return destroy(stream); }
aclError aclrtSynchronizeStream(aclrtStream stream) { return synchronize(stream, "aclrtSynchronizeStream"); }
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t) {
  return synchronize(stream, "aclrtSynchronizeStreamWithTimeout");
}
aclError aclrtSynchronizeDevice() { return synchronize_device("aclrtSynchronizeDevice"); }
aclError aclrtSynchronizeDeviceWithTimeout(int32_t) { return synchronize_device("aclrtSynchronizeDeviceWithTimeout"); }

aclError aclrtStreamGetId(aclrtStream handle, int32_t *id) {
  Lock lock(device().mutex);
  Stream *stream = stream_of(handle);
  if (!stream) return refuse(Rule::handle, "aclrtStreamGetId: the stream is not there");
  *id = stream->id;
  return ACL_SUCCESS;
}

aclError aclrtStreamQuery(aclrtStream handle, aclrtStreamStatus *status) {
  Lock lock(device().mutex);
  Stream *stream = stream_of(handle);
  if (const int32_t code = check_open(stream, "aclrtStreamQuery")) return code;
  *status = stream->queue.empty() && !stream->busy ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

// Callbacks run on the stream's own thread, so reports need no subscriber.
aclError aclrtSubscribeReport(uint64_t, aclrtStream) { return ACL_SUCCESS; }
aclError aclrtUnSubscribeReport(uint64_t, aclrtStream) { return ACL_SUCCESS; }

aclError aclrtProcessReport(int32_t) {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return ACL_SUCCESS;
}

aclError aclrtLaunchCallback(aclrtCallback function, void *data, aclrtCallbackBlockType, aclrtStream stream) {
  return launch(stream, Task{"host callback", Kind::host, {}, [=] { return function(data), std::string(); }});
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc function, void *data) {
  return launch(stream, Task{"host function", Kind::host, {}, [=] { return function(data), std::string(); }});
}
