// Allocation and copies as acl offers them.
#include <acl/acl.h>

#include <cstring>

#include "device.h"
#include "settings.h"

namespace aclsim {
namespace {

int32_t give(Place place, void **out, size_t bytes) {
  *out = allocate(place, bytes);
  return *out ? 0 : refuse(Rule::no_memory, std::to_string(bytes) + " bytes do not fit: " +
                                                std::to_string(memory_use().device_bytes) + " of " +
                                                std::to_string(settings().memory) + " are taken");
}

int32_t take(Place place, void *data) {
  return release(place, data) ? 0 : refuse(Rule::handle, "memory was freed that is not allocated, or another kind");
}

std::string range_problem(const void *data, size_t bytes, bool written, bool host_too) {
  if (host_too && place_of(data) == Place::unknown) return "";  // ordinary memory of the host
  return problem_of(Range{data, bytes, written}, true);
}

int32_t check_length(size_t capacity, size_t bytes, const char *function) {
  if (bytes <= capacity) return 0;
  return refuse(Rule::copy_range, std::string(function) + ": " + std::to_string(bytes) + " bytes into " +
                                      std::to_string(capacity));
}

// Which sides of a copy are the host's: only the other side has to be the device's.
bool from_host(aclrtMemcpyKind kind) { return kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_HOST_TO_HOST; }
bool to_host(aclrtMemcpyKind kind) { return kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_HOST_TO_HOST; }

int32_t copy_now(void *to, const void *from, size_t bytes, aclrtMemcpyKind kind, const char *function) {
  for (const std::string &problem : {range_problem(from, bytes, false, kind == ACL_MEMCPY_DEFAULT || from_host(kind)),
                                     range_problem(to, bytes, true, kind == ACL_MEMCPY_DEFAULT || to_host(kind))})
    if (!problem.empty()) return refuse(Rule::address, std::string(function) + " " + problem);
  std::memcpy(to, from, bytes);
  return 0;
}

// A copy of memory that is not pinned has no engine to run on: the call waits for its stream and copies itself.
int32_t copy_unpinned(void *to, const void *from, size_t bytes, aclrtMemcpyKind kind, aclrtStream handle) {
  Lock lock(device().mutex);
  if (const int32_t code = check_unsafe("aclrtMemcpyAsync of unpinned memory")) return code;
  Stream *stream = stream_of(handle);
  if (!stream) return refuse(Rule::handle, "aclrtMemcpyAsync: the stream is not there");
  if (stream->capture)
    return refuse_capture(stream->capture.get(), Rule::unsafe_in_capture, "aclrtMemcpyAsync of unpinned memory");
  if (const int32_t code = drain(lock, stream)) return code;
  lock.unlock();
  return copy_now(to, from, bytes, kind, "aclrtMemcpyAsync");
}

}  // namespace
}  // namespace aclsim

using namespace aclsim;

aclError aclrtMalloc(void **out, size_t bytes, aclrtMemMallocPolicy) { return give(Place::device, out, bytes); }
aclError aclrtMallocAlign32(void **out, size_t bytes, aclrtMemMallocPolicy) { return give(Place::device, out, bytes); }
aclError aclrtFree(void *data) { return take(Place::device, data); }
aclError aclrtMallocHost(void **out, size_t bytes) { return give(Place::pinned, out, bytes); }
aclError aclrtMallocHostWithCfg(void **out, uint64_t bytes, aclrtMallocConfig *) {
  return give(Place::pinned, out, bytes);
}
aclError aclrtFreeHost(void *data) { return take(Place::pinned, data); }

aclError aclrtHostRegister(void *data, uint64_t bytes, aclrtHostRegisterType, void **device_data) {
  pin(data, bytes);
  *device_data = data;
  return ACL_SUCCESS;
}

aclError aclrtHostRegisterV2(void *data, uint64_t bytes, uint32_t) {
  pin(data, bytes);
  return ACL_SUCCESS;
}

aclError aclrtHostUnregister(void *data) {
  return unpin(data) ? ACL_SUCCESS : refuse(Rule::handle, "memory was unregistered that is not registered");
}

aclError aclrtPointerGetAttributes(const void *data, aclrtPtrAttributes *attributes) {
  const Place place = place_of(data);
  attributes->location.id = 0;
  attributes->location.type = place == Place::device   ? ACL_MEM_LOCATION_TYPE_DEVICE
                              : place == Place::pinned ? ACL_MEM_LOCATION_TYPE_HOST
                                                       : ACL_MEM_LOCATION_TYPE_UNREGISTERED;
  return ACL_SUCCESS;
}

aclError aclrtGetMemInfo(aclrtMemAttr, size_t *free, size_t *total) {
  *total = settings().memory;
  *free = *total - memory_use().device_bytes;
  return ACL_SUCCESS;
}

aclError aclrtMemcpy(void *to, size_t capacity, const void *from, size_t bytes, aclrtMemcpyKind kind) {
  if (const int32_t code = check_length(capacity, bytes, "aclrtMemcpy")) return code;
  {
    Lock lock(device().mutex);
    if (const int32_t code = check_unsafe("aclrtMemcpy")) return code;
  }
  return copy_now(to, from, bytes, kind, "aclrtMemcpy");
}

aclError aclrtMemcpyAsync(void *to, size_t capacity, const void *from, size_t bytes, aclrtMemcpyKind kind,
                          aclrtStream stream) {
  if (const int32_t code = check_length(capacity, bytes, "aclrtMemcpyAsync")) return code;
  if (place_of(to) == Place::unknown || place_of(from) == Place::unknown)
    return copy_unpinned(to, from, bytes, kind, stream);
  return launch(stream, Task{"memcpy", Kind::copy, {{from, bytes, false}, {to, bytes, true}}, [=] {
                               return std::memcpy(to, from, bytes), std::string();
                             }});
}

aclError aclrtMemcpyAsyncWithCondition(void *to, size_t capacity, const void *from, size_t bytes, aclrtMemcpyKind kind,
                                       aclrtStream stream) {
  return aclrtMemcpyAsync(to, capacity, from, bytes, kind, stream);
}

aclError aclrtMemset(void *data, size_t capacity, int32_t value, size_t bytes) {
  if (const int32_t code = check_length(capacity, bytes, "aclrtMemset")) return code;
  {
    Lock lock(device().mutex);
    if (const int32_t code = check_unsafe("aclrtMemset")) return code;
  }
  const std::string problem = problem_of(Range{data, bytes, true}, true);
  if (!problem.empty()) return refuse(Rule::address, "aclrtMemset " + problem);
  std::memset(data, value, bytes);
  return ACL_SUCCESS;
}

aclError aclrtMemsetAsync(void *data, size_t capacity, int32_t value, size_t bytes, aclrtStream stream) {
  if (const int32_t code = check_length(capacity, bytes, "aclrtMemsetAsync")) return code;
  return launch(stream, Task{"memset", Kind::set, {{data, bytes, true}}, [=] {
                               return std::memset(data, value, bytes), std::string();
                             }});
}
