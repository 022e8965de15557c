// Calls that were checked before: what they looked like, and the shapes and dtypes of their results.
#pragma once

#include <ATen/core/stack.h>
#include <ATen/core/Tensor.h>

#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace sparse_attn {

struct ResultFact {
  std::vector<int64_t> size;
  at::ScalarType dtype;
};
using Results = std::vector<ResultFact>;

// A call without its data: dtype and sizes of every tensor, and every number and word. Constraints and the shapes of
// results depend on nothing else. Empty for a call that only Python can serve.
inline std::string looks(const c10::IValue *arguments, size_t count) {
  std::string text;
  text.reserve(512);
  const auto add = [&](int64_t value) { text.append(reinterpret_cast<const char *>(&value), sizeof value); };
  for (size_t i = 0; i < count; ++i) {
    const c10::IValue &value = arguments[i];
    if (value.isTensor()) {
      const at::Tensor &tensor = value.toTensor();
      if (!tensor.defined() || !tensor.device().is_cpu() || tensor.layout() != at::kStrided) return {};
      add(int64_t(tensor.scalar_type()) * 64 + tensor.dim() + 1);
      for (const int64_t size : tensor.sizes()) add(size);
    } else if (value.isString()) {
      text.append(value.toStringRef()).push_back('\0');
    } else if (value.isDouble()) {
      const double real = value.toDouble();
      text.append(reinterpret_cast<const char *>(&real), sizeof real);
    } else if (value.isNone()) {
      add(-1);
    } else if (value.isInt() || value.isBool()) {
      add(value.isInt() ? value.toInt() : int64_t(value.toBool()));
    } else {
      return {};
    }
  }
  return text;
}

class Seen {
 public:
  // The results of such a call; false when there was none.
  bool find(const std::string &call, Results *results) const {
    std::shared_lock<std::shared_mutex> lock(mutex_);
    const auto found = calls_.find(call);
    if (found == calls_.end()) return false;
    *results = found->second;
    return true;
  }

  void keep(const std::string &call, Results results) {
    std::unique_lock<std::shared_mutex> lock(mutex_);
    if (calls_.size() >= kMost) calls_.clear();  // a context that grows by a token a call is new every time
    calls_.emplace(call, std::move(results));
  }

 private:
  static constexpr size_t kMost = 4096;
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::string, Results> calls_;
};

}  // namespace sparse_attn
