#include "memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <unordered_set>

#include "settings.h"

namespace aclsim {
namespace {

struct Block {
  size_t bytes;   // what was asked for
  size_t mapped;  // with the unreadable page; 0 for memory of the host's own
  Place place;
  int number;
  bool live;
};

struct Memory {
  std::mutex mutex;
  std::map<uintptr_t, Block> blocks;  // freed ones stay, so that a late touch can be named
  size_t device_bytes = 0, device_blocks = 0, pinned_bytes = 0, device_peak = 0;
  int made = 0;
};

Memory &memory() {
  static Memory *made = new Memory;  // outlives every worker thread
  return *made;
}

size_t page() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

// The block that starts at or before an address and reaches it (or ends right at it).
const std::pair<const uintptr_t, Block> *block_at(Memory &m, uintptr_t address) {
  auto next = m.blocks.upper_bound(address);
  if (next == m.blocks.begin()) return nullptr;
  auto &found = *std::prev(next);
  return address <= found.first + std::max<size_t>(found.second.bytes, 1) ? &found : nullptr;
}

const char *word(Place place) { return place == Place::device ? "device" : "pinned"; }

void poison(void *data, size_t bytes) {
  auto *words = static_cast<uint16_t *>(data);
  std::fill(words, words + bytes / 2, kPoison);
}

}  // namespace

void *allocate(Place place, size_t bytes) {
  Memory &m = memory();
  const size_t rounded = (std::max<size_t>(bytes, 1) + page() - 1) / page() * page();
  {
    std::lock_guard<std::mutex> hold(m.mutex);
    if (place == Place::device && m.device_bytes + bytes > settings().memory) return nullptr;
  }
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *data = mmap(nullptr, rounded + page(), PROT_READ | PROT_WRITE, flags, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  mprotect(static_cast<char *>(data) + rounded, page(), PROT_NONE);
  poison(data, bytes);
  std::lock_guard<std::mutex> hold(m.mutex);
  m.blocks[reinterpret_cast<uintptr_t>(data)] = Block{bytes, rounded + page(), place, ++m.made, true};
  if (place == Place::device) {
    m.device_bytes += bytes;
    m.device_blocks += 1;
    m.device_peak = std::max(m.device_peak, m.device_bytes);
  } else {
    m.pinned_bytes += bytes;
  }
  return data;
}

bool release(Place place, void *data) {
  Memory &m = memory();
  std::lock_guard<std::mutex> hold(m.mutex);
  auto found = m.blocks.find(reinterpret_cast<uintptr_t>(data));
  if (found == m.blocks.end() || !found->second.live || found->second.place != place || !found->second.mapped)
    return false;
  Block &block = found->second;
  block.live = false;
  (place == Place::device ? m.device_bytes : m.pinned_bytes) -= block.bytes;
  if (place == Place::device) m.device_blocks -= 1;
  // The pages go back, the addresses stay taken: whatever still points here is caught, by the check or by the MMU.
  mmap(data, block.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  return true;
}

void pin(void *data, size_t bytes) {
  Memory &m = memory();
  std::lock_guard<std::mutex> hold(m.mutex);
  m.blocks[reinterpret_cast<uintptr_t>(data)] = Block{bytes, 0, Place::pinned, ++m.made, true};
  m.pinned_bytes += bytes;
}

bool unpin(void *data) {
  Memory &m = memory();
  std::lock_guard<std::mutex> hold(m.mutex);
  auto found = m.blocks.find(reinterpret_cast<uintptr_t>(data));
  if (found == m.blocks.end() || found->second.mapped) return false;
  m.pinned_bytes -= found->second.bytes;
  m.blocks.erase(found);
  return true;
}

Place place_of(const void *data) {
  Memory &m = memory();
  std::lock_guard<std::mutex> hold(m.mutex);
  const auto *found = block_at(m, reinterpret_cast<uintptr_t>(data));
  return found && found->second.live ? found->second.place : Place::unknown;
}

std::string problem_of(const Range &range, bool pinned) {
  if (range.bytes == 0) return "";
  Memory &m = memory();
  std::lock_guard<std::mutex> hold(m.mutex);
  const auto begin = reinterpret_cast<uintptr_t>(range.data);
  const auto *found = block_at(m, begin);
  const std::string verb = range.written ? "writes " : "reads ";
  const std::string bytes = verb + std::to_string(range.bytes) + " bytes ";
  if (!found) return bytes + "at an address of the host that is not pinned";
  const Block &block = found->second;
  const std::string name = word(block.place) + std::string(" block ") + std::to_string(block.number);
  const size_t offset = begin - found->first;
  if (!block.live) return bytes + "of " + name + ", which was freed";
  if (block.place == Place::pinned && !pinned) return bytes + "of " + name + ": only copies may touch pinned memory";
  if (offset + range.bytes > block.bytes)
    return bytes + "at offset " + std::to_string(offset) + " of " + name + ", which has " +
           std::to_string(block.bytes) + " bytes";
  return "";
}

std::string name_of(const void *data) {
  Memory &m = memory();
  std::lock_guard<std::mutex> hold(m.mutex);
  const auto begin = reinterpret_cast<uintptr_t>(data);
  const auto *found = block_at(m, begin);
  if (!found) return "host";
  return word(found->second.place) + std::string(" block ") + std::to_string(found->second.number) + " + " +
         std::to_string(begin - found->first);
}

MemoryUse memory_use() {
  Memory &m = memory();
  std::lock_guard<std::mutex> hold(m.mutex);
  return {m.device_bytes, m.device_blocks, m.pinned_bytes, m.device_peak};
}

}  // namespace aclsim
