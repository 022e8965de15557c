#include "handles.h"

#include <cstring>
#include <numeric>

namespace aclsim {

size_t element_bytes(aclDataType type) {
  switch (static_cast<int>(type)) {
    case ACL_FLOAT: case ACL_INT32: case ACL_UINT32: return 4;
    case ACL_FLOAT16: case ACL_BF16: case ACL_INT16: case ACL_UINT16: return 2;
    case ACL_INT64: case ACL_UINT64: case ACL_DOUBLE: case ACL_COMPLEX64: return 8;
    case ACL_COMPLEX128: return 16;
    case ACL_INT8: case ACL_UINT8: case ACL_BOOL: return 1;
    case 34: case 35: case 36: case 37: case 40: return 1;  // hifloat8, float8 (e5m2, e4m3, e8m0), pairs of float4
    default: return 0;
  }
}

void *first_byte(const aclTensor &tensor) {
  return static_cast<char *>(tensor.data) + tensor.offset * static_cast<int64_t>(element_bytes(tensor.type));
}

std::string cover(const aclTensor *tensor, bool written, std::vector<Range> &ranges) {
  if (!tensor) return "";
  int64_t last = 0;
  for (size_t axis = 0; axis < tensor->sizes.size(); ++axis) {
    if (tensor->sizes[axis] == 0) return "";
    if (tensor->strides[axis] < 0) return "has a negative stride";
    last += (tensor->sizes[axis] - 1) * tensor->strides[axis];
  }
  const size_t width = element_bytes(tensor->type);
  if (!width) return "has a tensor of the unknown type " + std::to_string(tensor->type);
  if (tensor->offset + last >= tensor->stored)
    return "has a view that ends at element " + std::to_string(tensor->offset + last) + " of a storage of " +
           std::to_string(tensor->stored);
  ranges.push_back({first_byte(*tensor), static_cast<size_t>(last + 1) * width, written});
  return "";
}

int32_t planned(Task task, uint64_t bytes, uint64_t *workspace, aclOpExecutor **executor) {
  *workspace = bytes;
  *executor = new aclOpExecutor{std::move(task)};
  return 0;
}

int32_t launch_planned(void *workspace, uint64_t bytes, aclOpExecutor *executor, aclrtStream stream) {
  Task task = std::move(executor->task);
  delete executor;
  if (bytes) {
    task.ranges.push_back({workspace, bytes, true});
    const auto work = task.work;
    task.work = [=] { return std::memset(workspace, 0x5A, bytes), work(); };
  }
  return launch(stream, std::move(task));
}

}  // namespace aclsim

using namespace aclsim;

namespace {

int64_t product(const int64_t *sizes, uint64_t count) {
  return std::accumulate(sizes, sizes + count, int64_t{1}, [](int64_t a, int64_t b) { return a * b; });
}

template <typename T>
aclScalar scalar(const void *value, aclDataType type) {
  T read;
  std::memcpy(&read, value, sizeof read);
  return {type, static_cast<double>(read), static_cast<int64_t>(read)};
}

}  // namespace

extern "C" {

aclTensor *aclCreateTensor(const int64_t *sizes, uint64_t rank, aclDataType type, const int64_t *strides,
                           int64_t offset, aclFormat, const int64_t *stored, uint64_t stored_rank, void *data) {
  const int64_t elements = product(stored, stored_rank);
  return new aclTensor{{sizes, sizes + rank}, {strides, strides + rank}, type, offset, elements, data};
}

aclScalar *aclCreateScalar(void *value, aclDataType type) {
  switch (static_cast<int>(type)) {
    case ACL_FLOAT: return new aclScalar(scalar<float>(value, type));
    case ACL_DOUBLE: return new aclScalar(scalar<double>(value, type));
    case ACL_INT64: return new aclScalar(scalar<int64_t>(value, type));
    case ACL_INT32: return new aclScalar(scalar<int32_t>(value, type));
    case ACL_INT16: return new aclScalar(scalar<int16_t>(value, type));
    case ACL_INT8: return new aclScalar(scalar<int8_t>(value, type));
    case ACL_UINT8: return new aclScalar(scalar<uint8_t>(value, type));
    case ACL_BOOL: return new aclScalar(scalar<bool>(value, type));
    default: refuse(Rule::unsupported, "a scalar of type " + std::to_string(type)); return nullptr;
  }
}

aclIntArray *aclCreateIntArray(const int64_t *values, uint64_t count) {
  return new aclIntArray{{values, values + count}};
}
aclFloatArray *aclCreateFloatArray(const float *values, uint64_t count) {
  return new aclFloatArray{{values, values + count}};
}
aclBoolArray *aclCreateBoolArray(const bool *values, uint64_t count) {
  return new aclBoolArray{{values, values + count}};
}

// A list owns what it was made of: the parts are not destroyed apart from it.
aclTensorList *aclCreateTensorList(const aclTensor *const *tensors, uint64_t count) {
  auto *list = new aclTensorList;
  for (uint64_t i = 0; i < count; ++i) {
    list->tensors.push_back(tensors[i] ? *tensors[i] : aclTensor{{}, {}, ACL_DT_UNDEFINED, 0, 0, nullptr});
    delete tensors[i];
  }
  return list;
}

aclScalarList *aclCreateScalarList(const aclScalar *const *scalars, uint64_t count) {
  auto *list = new aclScalarList;
  for (uint64_t i = 0; i < count; ++i) {
    list->scalars.push_back(*scalars[i]);
    delete scalars[i];
  }
  return list;
}

int32_t aclDestroyTensor(const aclTensor *handle) { return delete handle, 0; }
int32_t aclDestroyScalar(const aclScalar *handle) { return delete handle, 0; }
int32_t aclDestroyIntArray(const aclIntArray *handle) { return delete handle, 0; }
int32_t aclDestroyFloatArray(const aclFloatArray *handle) { return delete handle, 0; }
int32_t aclDestroyBoolArray(const aclBoolArray *handle) { return delete handle, 0; }
int32_t aclDestroyTensorList(const aclTensorList *handle) { return delete handle, 0; }
int32_t aclDestroyScalarList(const aclScalarList *handle) { return delete handle, 0; }
int32_t aclDestroyAclOpExecutor(aclOpExecutor *handle) { return delete handle, 0; }

}  // extern "C"
