// Registers the host kernels with torch's dispatcher, so that a call of torch.ops.sparse_attn.* runs no Python.
//
// A call that looks like none before goes to the operator of the same name in the namespace sparse_attn_checked, which is
// Python: constraints, error texts and the shapes of results are written there once. From then on calls that look the
// same go straight to the kernel. Loaded and told what to register by meaning_shim.py.
#include <ATen/EmptyTensor.h>
#include <ATen/Parallel.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <torch/library.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>

#include "call.h"
#include "seen.h"

namespace sparse_attn {
namespace {

constexpr size_t kMostSlots = 32;
std::atomic<bool> paused{false};

// The code of a dtype the kernels have a format for, else 0.
int32_t code_of(at::ScalarType dtype) {
  switch (dtype) {
    case at::kFloat: return SA_FP32;
    case at::kBFloat16: return SA_BF16;
    case at::kHalf: return SA_FP16;
    case at::kInt: return SA_INT32;
    case at::kLong: return SA_INT64;
    case at::kBool: return SA_BOOL;
    default: return 0;
  }
}

bool describe(const at::Tensor &tensor, sa_tensor *to) {
  to->dtype = code_of(tensor.scalar_type());
  if (to->dtype == 0 || tensor.dim() > SA_MAX_RANK) return false;
  to->data = const_cast<void *>(tensor.const_data_ptr());
  to->rank = int32_t(tensor.dim());
  std::copy_n(tensor.sizes().data(), tensor.dim(), to->size);
  std::copy_n(tensor.strides().data(), tensor.dim(), to->stride);
  return true;
}

class Operator final : public c10::OperatorKernel {
 public:
  Operator(const Kernel &kernel, void *function, bool contiguous, c10::OperatorHandle checked)
      : kernel_(kernel), function_(function), contiguous_(contiguous), checked_(std::move(checked)) {}

  void operator()(const c10::OperatorHandle &handle, c10::DispatchKeySet, torch::jit::Stack *stack) {
    const size_t count = handle.schema().arguments().size();
    const c10::IValue *arguments = stack->data() + (stack->size() - count);
    const std::string call = paused ? std::string() : looks(arguments, count);
    Results results;
    if (call.empty() || !seen_.find(call, &results)) return check_and_call(call, arguments, count, stack);
    run(results, arguments, count, stack);
  }

 private:
  void check_and_call(const std::string &call, const c10::IValue *arguments, size_t count, torch::jit::Stack *stack) {
    bool served = !call.empty();
    sa_tensor scratch;
    for (size_t i = 0; i < count; ++i) served &= !arguments[i].isTensor() || describe(arguments[i].toTensor(), &scratch);
    checked_.callBoxed(stack);
    if (!served) return;
    Results results;
    const size_t returned = checked_.schema().returns().size();
    for (size_t i = stack->size() - returned; i < stack->size(); ++i) {
      const at::Tensor &result = (*stack)[i].toTensor();
      results.push_back({result.sizes().vec(), result.scalar_type()});
    }
    seen_.keep(call, std::move(results));
  }

  void run(const Results &results, const c10::IValue *arguments, size_t count, torch::jit::Stack *stack) const {
    Slot slots[kMostSlots] = {};
    sa_tensor tensors[kMostSlots];
    std::deque<at::Tensor> copies;
    for (size_t i = 0; i < count; ++i) {
      const c10::IValue &value = arguments[i];
      if (value.isTensor()) {
        const at::Tensor &given = value.toTensor();
        describe(contiguous_ ? copies.emplace_back(given.contiguous()) : given, &tensors[i]);
        slots[i].pointer = &tensors[i];
      } else if (value.isString()) {
        slots[i].pointer = value.toStringRef().c_str();
      } else if (value.isDouble()) {
        slots[i].real = value.toDouble();
      } else if (!value.isNone()) {
        slots[i].integer = value.isBool() ? int64_t(value.toBool()) : value.toInt();
      }
    }
    std::vector<at::Tensor> made;
    for (const ResultFact &fact : results) {
      made.emplace_back(at::detail::empty_cpu(fact.size, fact.dtype));
      describe(made.back(), &tensors[count + made.size() - 1]);
      slots[count + made.size() - 1].pointer = &tensors[count + made.size() - 1];
    }
    sa_error error;
    error.text[0] = '\0';
    slots[count + made.size()].integer = at::get_num_threads();
    slots[count + made.size() + 1].pointer = &error;
    if (kernel_.invoke(function_, slots) != 0) TORCH_CHECK_VALUE(false, "sparse_attn.", kernel_.name, ": ", error.text);
    torch::jit::drop(*stack, count);
    for (at::Tensor &result : made) stack->emplace_back(std::move(result));
  }

  const Kernel &kernel_;
  void *const function_;
  const bool contiguous_;
  const c10::OperatorHandle checked_;
  Seen seen_;
};

// Runs where autograd could record, and raises when it would have to.
void refuse_autograd(const c10::OperatorHandle &handle, c10::DispatchKeySet keys, torch::jit::Stack *stack) {
  const size_t count = handle.schema().arguments().size();
  if (at::GradMode::is_enabled())
    for (size_t i = stack->size() - count; i < stack->size(); ++i) {
      const c10::IValue &value = (*stack)[i];
      const bool wanted = value.isTensor() && value.toTensor().defined() && value.toTensor().requires_grad();
      TORCH_CHECK(!wanted, "sparse_attn.", handle.schema().name().substr(std::strlen("sparse_attn::")),
                  " has no derivative and an input requires grad: call it under torch.no_grad() or "
                  "torch.inference_mode(), or detach the input");
    }
  at::AutoDispatchBelowAutograd below;
  handle.redispatchBoxed(keys & c10::after_autograd_keyset, stack);
}

// Registrations last as long as the process.
torch::Library &registrations(c10::DispatchKey key) {
  static auto *cpu = new torch::Library(torch::Library::IMPL, "sparse_attn", c10::DispatchKey::CPU, __FILE__, __LINE__);
  static auto *autograd =
      new torch::Library(torch::Library::IMPL, "sparse_attn", c10::DispatchKey::Autograd, __FILE__, __LINE__);
  return key == c10::DispatchKey::CPU ? *cpu : *autograd;
}

void add(const Kernel &kernel, void *function, bool contiguous) {
  const auto checked = c10::Dispatcher::singleton().findSchemaOrThrow(("sparse_attn_checked::" + std::string(kernel.name)).c_str(), "");
  const size_t passed = checked.schema().arguments().size() + checked.schema().returns().size() + 2;
  TORCH_CHECK(passed == kernel.parameters && passed <= kMostSlots, kernel.name, " has ", kernel.parameters,
              " parameters in C and ", passed, " by its schema");
  auto made = std::make_unique<Operator>(kernel, function, contiguous, checked);
  registrations(c10::DispatchKey::CPU).impl(kernel.name, torch::CppFunction::makeFromBoxedFunctor(std::move(made)));
  registrations(c10::DispatchKey::Autograd).impl(kernel.name, torch::CppFunction::makeFromBoxedFunction<&refuse_autograd>());
}

}  // namespace
}  // namespace sparse_attn

// The torch this was built for: another one may lay its classes out in another way.
extern "C" SA_API const char *sa_torch_version() { return SPARSE_ATTN_TORCH_VERSION; }

// While it is paused every call goes to Python.
extern "C" SA_API void sa_torch_pause(int32_t pause) { sparse_attn::paused = pause != 0; }

// Registers operator `name`; `function` is the address of sa_meaning_<name>. 0, or an error text.
extern "C" SA_API int sa_torch_register(const char *name, void *function, int32_t contiguous, sa_error *error) {
  try {
    for (const sparse_attn::Kernel &kernel : sparse_attn::kKernels)
      if (std::strcmp(kernel.name, name) == 0) return sparse_attn::add(kernel, function, contiguous != 0), 0;
    std::snprintf(error->text, sizeof error->text, "no kernel is called %s", name);
  } catch (const std::exception &failure) {
    std::snprintf(error->text, sizeof error->text, "%s", failure.what());
  }
  return 1;
}
