// JSON: what a graph holds, and what the device did.
#include <map>

#include "device.h"
#include "settings.h"

namespace aclsim {
namespace {

std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string buffers_of(const Task &task) {
  std::string out;
  for (const Range &range : task.ranges) {
    if (!out.empty()) out += ", ";
    out += "{\"buffer\": " + quoted(name_of(range.data)) + ", \"bytes\": " + std::to_string(range.bytes) +
           ", \"written\": " + (range.written ? "true" : "false") + "}";
  }
  return "[" + out + "]";
}

std::string list_of(const std::vector<size_t> &numbers) {
  std::string out;
  for (size_t number : numbers) out += (out.empty() ? "" : ", ") + std::to_string(number);
  return "[" + out + "]";
}

std::string counts_of(const std::map<std::string, uint64_t> &counts) {
  std::string out;
  for (const auto &[name, count] : counts)
    out += (out.empty() ? "" : ", ") + quoted(name) + ": " + std::to_string(count);
  return "{" + out + "}";
}

}  // namespace

std::string trace_of(const Model &model) {
  std::string tasks;
  size_t bytes = 0;
  for (size_t i = 0; i < model.nodes.size(); ++i) {
    const Node &node = model.nodes[i];
    for (const Range &range : node.task.ranges) bytes += range.bytes;
    tasks += std::string(i ? ",\n    " : "\n    ") + "{\"task\": " + std::to_string(i) + ", \"name\": " +
             quoted(node.task.name) + ", \"kind\": \"" + word_of(node.task.kind) + "\", \"stream\": " +
             std::to_string(node.stream) + ", \"after\": " + list_of(node.after) + ", \"grouped\": " +
             (node.grouped ? "true" : "false") + ", \"buffers\": " + buffers_of(node.task) + "}";
  }
  return "{\"graph\": " + std::to_string(model.id) + ", \"streams\": " + std::to_string(model.stream_ids.size()) +
         ", \"device_streams\": " + std::to_string(model.budget) + ", \"groups\": " +
         std::to_string(model.groups.size()) + ", \"replays\": " + std::to_string(model.replays) + ", \"updates\": " +
         std::to_string(model.updates) + ", \"moved_outputs\": " + std::to_string(model.moved_outputs) +
         ", \"bytes\": " + std::to_string(bytes) + ",\n  \"tasks\": [" + tasks + "]}\n";
}

}  // namespace aclsim

// What the device holds and did, as JSON. The text stays until the same thread asks again.
extern "C" const char *aclsimStatistics() {
  using namespace aclsim;
  thread_local std::string answer;
  const MemoryUse use = memory_use();
  Device &d = device();
  Lock lock(d.mutex);
  uint64_t replays = 0, updates = 0, moved = 0;
  for (const auto &[_, model] : d.models) {
    replays += model->replays;
    updates += model->updates;
    moved += model->moved_outputs;
  }
  answer = "{\"device_bytes\": " + std::to_string(use.device_bytes) + ", \"device_peak\": " +
           std::to_string(use.device_peak) + ", \"device_blocks\": " + std::to_string(use.device_blocks) +
           ", \"pinned_bytes\": " + std::to_string(use.pinned_bytes) + ", \"streams\": " +
           std::to_string(d.streams.size() - 1) + ", \"events\": " + std::to_string(d.events.size()) +
           ", \"graphs\": " + std::to_string(d.models.size()) + ", \"captures\": " + std::to_string(d.model_ids) +
           ", \"graph_streams\": " + std::to_string(d.budget) + ", \"replays\": " + std::to_string(replays) +
           ", \"updates\": " + std::to_string(updates) + ", \"moved_outputs\": " + std::to_string(moved) +
           ", \"launched\": " + counts_of(d.launched) + "}";
  return answer.c_str();
}
