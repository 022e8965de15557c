#include "kernel.h"

namespace aclsim {
namespace {

constexpr uint64_t kWorkspace = 1024;  // some, so that a caller who forgets it is found

int32_t host_type(aclDataType type) {
  switch (static_cast<int>(type)) {
    case ACL_FLOAT: return SA_FP32;
    case ACL_BF16: return SA_BF16;
    case ACL_FLOAT16: return SA_FP16;
    case ACL_DOUBLE: return SA_FP64;
    case ACL_INT8: return SA_INT8;
    case ACL_UINT8: return SA_UINT8;
    case ACL_INT16: return SA_INT16;
    case ACL_INT32: return SA_INT32;
    case ACL_INT64: return SA_INT64;
    case ACL_BOOL: return SA_BOOL;
    case 34: return SA_HIF8;
    case 35: return SA_FP8_E5M2;
    case 36: return SA_FP8_E4M3;
    case 37: return SA_FP8_E8M0;
    default: return 0;
  }
}

}  // namespace

void Kernel::tensor(const aclTensor *given, bool written) {
  sa_tensor made{};
  present_.push_back(given != nullptr);
  if (given) {
    const size_t rank = given->sizes.size();
    made.data = first_byte(*given);
    made.dtype = host_type(given->type);
    made.rank = static_cast<int32_t>(rank);
    for (size_t axis = 0; axis < rank && axis < SA_MAX_RANK; ++axis) {
      made.size[axis] = given->sizes[axis];
      made.stride[axis] = given->strides[axis];
    }
    if (problem_.empty() && (!made.dtype || rank > SA_MAX_RANK))
      problem_ = "has a tensor of type " + std::to_string(given->type) + " and rank " + std::to_string(rank);
    if (problem_.empty()) problem_ = cover(given, written, task_.ranges);
  }
  tensors_.push_back(made);
}

void Kernel::stride(const char *argument, int64_t given, const aclTensor *of) {
  if (of && problem_.empty() && given != of->strides.at(0))
    problem_ = std::string("has ") + argument + " = " + std::to_string(given) + " for a tensor of axis-0 stride " +
               std::to_string(of->strides.at(0));
}

int32_t Kernel::plan(Call call, uint64_t *workspace, aclOpExecutor **executor) {
  if (!problem_.empty()) return refuse(Rule::parameter, task_.name + " " + problem_);
  Task task = task_;
  const Kernel kept = *this;
  task.work = [kept, call]() -> std::string {
    sa_error error{};
    return call(kept, &error) ? std::string("refused: ") + error.text : std::string();
  };
  return planned(std::move(task), kWorkspace, workspace, executor);
}

}  // namespace aclsim
