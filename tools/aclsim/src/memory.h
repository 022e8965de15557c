// The memory of the device and pinned memory of the host: who owns which bytes, and whether they may be touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace aclsim {

enum class Place { device, pinned, unknown };

// Bytes a task reads or writes.
struct Range {
  const void *data;
  size_t bytes;
  bool written;
};

// Fresh memory holds this half-word all over: NaN in fp32, fp16 and bf16, far outside any index in int32 and int64.
constexpr uint16_t kPoison = 0x7FC0;

// nullptr when the device has no room. A block of device memory ends at an unreadable page, and its address is never
// given out again once it was freed.
void *allocate(Place place, size_t bytes);
bool release(Place place, void *data);

// The host pins (unpins) memory that is its own.
void pin(void *data, size_t bytes);
bool unpin(void *data);

Place place_of(const void *data);

// "" when all bytes lie in one live block of the place (pinned memory counts where `pinned` allows it), else why not.
std::string problem_of(const Range &range, bool pinned);

// Which block the bytes lie in, as "device block 3 + 512", for traces.
std::string name_of(const void *data);

struct MemoryUse {
  size_t device_bytes, device_blocks, pinned_bytes, device_peak;
};
MemoryUse memory_use();

}  // namespace aclsim
