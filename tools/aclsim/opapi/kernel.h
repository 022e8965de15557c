// The first phase of one of the project's own kernels: its arguments, kept for the call of its host implementation.
#pragma once

#include <sparse_attn_host.h>

#include <string>
#include <vector>

#include "handles.h"

namespace aclsim {

class Kernel {
 public:
  // name: the aclnn function; kind: aicpu for planning operators, aicore for all others.
  Kernel(const char *name, Kind kind) : task_{name, kind} {}

  void tensor(const aclTensor *given, bool written);
  void integer(int64_t given) { integers_.push_back(given); }
  void real(double given) { reals_.push_back(given); }
  void text(const char *given) { texts_.push_back(given ? given : ""); }

  // Checks an argument that repeats the axis-0 stride of a tensor (anything may stand for an absent one).
  void stride(const char *argument, int64_t given, const aclTensor *of);

  // In the order in which they were added.
  const sa_tensor *tensor_at(size_t i) const { return present_[i] ? &tensors_[i] : nullptr; }
  sa_tensor *result_at(size_t i) const { return present_[i] ? const_cast<sa_tensor *>(&tensors_[i]) : nullptr; }
  int64_t integer_at(size_t i) const { return integers_[i]; }
  double real_at(size_t i) const { return reals_[i]; }
  const char *text_at(size_t i) const { return texts_[i].c_str(); }

  using Call = int (*)(const Kernel &, sa_error *);
  int32_t plan(Call call, uint64_t *workspace, aclOpExecutor **executor);

 private:
  Task task_;
  std::string problem_;
  std::vector<sa_tensor> tensors_;
  std::vector<bool> present_;
  std::vector<int64_t> integers_;
  std::vector<double> reals_;
  std::vector<std::string> texts_;
};

}  // namespace aclsim
