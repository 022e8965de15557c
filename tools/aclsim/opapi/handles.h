// What the handles of an aclnn call hold, and the executor between its two phases.
#pragma once

#include <acl/acl.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../src/device.h"

struct aclTensor {
  std::vector<int64_t> sizes, strides;
  aclDataType type;
  int64_t offset;
  int64_t stored;  // elements of the storage the view lies in
  void *data;
};
struct aclScalar {
  aclDataType type;
  double real;
  int64_t whole;
};
struct aclIntArray {
  std::vector<int64_t> values;
};
struct aclFloatArray {
  std::vector<float> values;
};
struct aclBoolArray {
  std::vector<uint8_t> values;
};
struct aclTensorList {
  std::vector<aclTensor> tensors;
};
struct aclScalarList {
  std::vector<aclScalar> scalars;
};
struct aclOpExecutor {
  aclsim::Task task;
};

namespace aclsim {

// Bytes of one element; 0 for a type the simulator does not know.
size_t element_bytes(aclDataType type);

// The first byte of a view.
void *first_byte(const aclTensor &tensor);

// Adds the bytes a view covers; answers why the view leaves its storage, or "".
std::string cover(const aclTensor *tensor, bool written, std::vector<Range> &ranges);

// Ends the first phase: keeps the task until the second one launches it.
int32_t planned(Task task, uint64_t bytes, uint64_t *workspace, aclOpExecutor **executor);

// The second phase, the same for every operator. The workspace is scratch: the task may write all of it.
int32_t launch_planned(void *workspace, uint64_t bytes, aclOpExecutor *executor, aclrtStream stream);

}  // namespace aclsim
