// Running a captured graph: any order that its dependencies allow is right, and the setting ACLSIM_ORDER picks one.
// An order other than that of capture finds dependencies that nobody declared.
#include <algorithm>
#include <random>

#include "device.h"
#include "settings.h"

namespace aclsim {
namespace {

class Order {
 public:
  explicit Order(const std::string &order)
      : reversed_(order == "reversed"),
        seeded_(!order.empty() && order.find_first_not_of("0123456789") == std::string::npos),
        random_(seeded_ ? std::stoul(order) : 0) {}

  size_t pick(const std::vector<size_t> &ready) {
    if (seeded_) return random_() % ready.size();
    const auto ends = std::minmax_element(ready.begin(), ready.end());
    return (reversed_ ? ends.second : ends.first) - ready.begin();
  }

 private:
  bool reversed_, seeded_;
  std::mt19937 random_;
};

// Ready tasks that would block (external events nobody recorded yet) stand back while others can run.
std::vector<size_t> runnable(const Model &model, const std::vector<size_t> &ready) {
  std::vector<size_t> found;
  for (size_t node : ready) {
    const Task &task = model.nodes[node].task;
    if (task.kind != Kind::wait || !task.event->external || task.event->set) found.push_back(node);
  }
  return found.empty() ? ready : found;
}

Failure run_node(Lock &lock, Model &model, size_t index) {
  const Task task = model.nodes[index].task;  // an update may replace it while it waits
  if (task.kind == Kind::wait && !task.event->external) return {};  // an edge of the graph, honoured by the order
  if (task.kind == Kind::record || task.kind == Kind::reset) {
    if (task.event->external) task.event->set = task.kind == Kind::record;
    device().changed.notify_all();
    return {};
  }
  Failure failure = run(lock, task);
  if (failure.code)
    failure.text = "task " + std::to_string(index) + " (stream " + std::to_string(model.nodes[index].stream) +
                   ") of graph " + std::to_string(model.id) + ": " + failure.text;
  return failure;
}

}  // namespace

Failure replay(Lock &lock, Model &model) {
  std::vector<size_t> missing(model.nodes.size()), ready;
  std::vector<std::vector<size_t>> later(model.nodes.size());
  for (size_t i = 0; i < model.nodes.size(); ++i) {
    missing[i] = model.nodes[i].after.size();
    for (size_t before : model.nodes[i].after) later[before].push_back(i);
    if (!missing[i]) ready.push_back(i);
  }
  Order order(settings().order);
  while (!ready.empty()) {
    const std::vector<size_t> open = runnable(model, ready);
    const size_t node = open[order.pick(open)];
    ready.erase(std::find(ready.begin(), ready.end(), node));
    const Failure failure = run_node(lock, model, node);
    if (failure.code) {
      refuse(Rule::replay_failed, failure.text);
      return {text_of(Rule::replay_failed).code, failure.text};
    }
    for (size_t next : later[node])
      if (--missing[next] == 0) ready.push_back(next);
  }
  model.replays += 1;
  return {};
}

}  // namespace aclsim
