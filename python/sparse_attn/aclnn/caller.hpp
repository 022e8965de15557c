// Calls the two phases of an aclnn function with torch tensors: found by dlsym, workspace from the caching allocator,
// on the current stream, through torch_npu's task queue. The source that uses this is generated from the specs.
#pragma once

#include <ATen/ATen.h>
#include <dlfcn.h>
#include <torch/library.h>
#include <torch_npu/csrc/core/npu/NPUStream.h>
#include <torch_npu/csrc/framework/OpCommand.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

struct aclTensor;
struct aclOpExecutor;

namespace sparse_attn_aclnn {

using OptionalTensor = std::optional<at::Tensor>;

// Where operators lie: packages of one's own in the order of ASCEND_CUSTOM_OPP_PATH, then the toolkit's.
inline const std::vector<std::string> &places() {
  static const std::vector<std::string> found = [] {
    std::vector<std::string> made;
    const char *own = std::getenv("ASCEND_CUSTOM_OPP_PATH");
    std::string rest = own ? own : "";
    while (!rest.empty()) {
      const size_t colon = rest.find(':');
      const std::string folder = rest.substr(0, colon);
      if (!folder.empty()) made.push_back(folder + "/op_api/lib/libcust_opapi.so");
      rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
    }
    made.push_back("libcust_opapi.so");
    made.push_back("libopapi.so");
    return made;
  }();
  return found;
}

inline void *address_of(const std::string &function) {
  for (const std::string &place : places())
    if (void *library = dlopen(place.c_str(), RTLD_LAZY))
      if (void *address = dlsym(library, function.c_str())) return address;
  return nullptr;
}

inline void *required(const std::string &function) {
  void *address = address_of(function);
  if (address) return address;
  std::string tried;
  for (const std::string &place : places()) tried += (tried.empty() ? "" : ", ") + place;
  TORCH_CHECK_NOT_IMPLEMENTED(false, function, " is in none of ", tried,
                              ": install the operator package that has it, or name its folder in "
                              "ASCEND_CUSTOM_OPP_PATH");
}

inline int acl_type(at::ScalarType type) {
  switch (type) {
    case at::kFloat: return 0;
    case at::kHalf: return 1;
    case at::kChar: return 2;
    case at::kInt: return 3;
    case at::kByte: return 4;
    case at::kLong: return 9;
    case at::kBool: return 12;
    case at::kBFloat16: return 27;
    case at::kFloat8_e5m2: return 35;
    case at::kFloat8_e4m3fn: return 36;
    case at::kFloat8_e8m0fnu: return 37;
    default: TORCH_CHECK_NOT_IMPLEMENTED(false, "aclnn has no type for a tensor of ", type);
  }
}

// The handles of one call: they live until its second phase has been launched.
class Handles {
 public:
  ~Handles() {
    static const auto destroy = reinterpret_cast<int (*)(const aclTensor *)>(required("aclDestroyTensor"));
    for (const aclTensor *tensor : tensors_) destroy(tensor);
  }
  aclTensor *add(const at::Tensor &tensor, int type) {
    using Create = aclTensor *(*)(const int64_t *, uint64_t, int, const int64_t *, int64_t, int, const int64_t *, uint64_t,
                                  void *);
    static const auto create = reinterpret_cast<Create>(required("aclCreateTensor"));
    constexpr int kAnyFormat = 2;
    const int64_t stored = static_cast<int64_t>(tensor.storage().nbytes() / tensor.itemsize());
    tensors_.push_back(create(tensor.sizes().data(), tensor.dim(), type, tensor.strides().data(),
                              tensor.storage_offset(), kAnyFormat, &stored, 1,
                              const_cast<void *>(tensor.storage().data())));
    return tensors_.back();
  }
  char *add(c10::string_view text) {
    texts_.push_back(std::make_unique<std::string>(text));
    return texts_.back()->data();
  }

 private:
  std::vector<aclTensor *> tensors_;
  std::vector<std::unique_ptr<std::string>> texts_;
};

class Caller {
 public:
  // types: an aclDataType for each tensor in the order of the schema, -1 for that of the torch dtype.
  Caller(const char *function, at::IntArrayRef types)
      : name_(function), types_(types), handles_(std::make_shared<Handles>()) {}

  aclTensor *tensor(const OptionalTensor &given, size_t position) {
    if (!given || !given->defined()) return nullptr;
    if (!device_) device_ = given->device();
    TORCH_CHECK(given->device() == *device_, name_, ": tensors on ", given->device(), " and ", *device_);
    return handles_->add(*given, types_[position] >= 0 ? static_cast<int>(types_[position]) : acl_type(given->scalar_type()));
  }
  char *text(c10::string_view given) { return handles_->add(given); }
  int64_t stride(const OptionalTensor &of) const { return of && of->dim() ? of->stride(0) : 0; }

  template <typename... T>
  void run(T... arguments) {
    using First = int (*)(T..., uint64_t *, aclOpExecutor **);
    using Second = int (*)(void *, uint64_t, aclOpExecutor *, void *);
    const auto first = reinterpret_cast<First>(required(name_ + "GetWorkspaceSize"));
    const auto second = reinterpret_cast<Second>(required(name_));
    uint64_t bytes = 0;
    aclOpExecutor *executor = nullptr;
    const int code = first(arguments..., &bytes, &executor);
    TORCH_CHECK(code == 0, name_, "GetWorkspaceSize answered ", code, ": ", recent());
    at::Tensor workspace;
    if (bytes) workspace = at::empty({static_cast<int64_t>(bytes)}, at::TensorOptions().dtype(at::kByte).device(*device_));
    void *scratch = bytes ? workspace.data_ptr() : nullptr;
    void *stream = c10_npu::getCurrentNPUStream().stream(false);
    const auto handles = handles_;
    // The workspace may go back before the task runs: the allocator orders its blocks by stream.
    at_npu::native::OpCommand::RunOpApiV2(
        name_, [=]() -> int { return static_cast<void>(handles), second(scratch, bytes, executor, stream); });
  }

 private:
  static std::string recent() {
    const auto message = reinterpret_cast<const char *(*)()>(dlsym(RTLD_DEFAULT, "aclGetRecentErrMsg"));
    const char *text = message ? message() : nullptr;
    return text ? text : "";
  }

  std::string name_;
  at::IntArrayRef types_;
  std::optional<at::Device> device_;
  std::shared_ptr<Handles> handles_;
};

}  // namespace sparse_attn_aclnn
