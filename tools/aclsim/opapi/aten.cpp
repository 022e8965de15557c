#include "aten.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/InferenceMode.h>

namespace aclsim {
namespace {

c10::ScalarType scalar_type(aclDataType type) {
  switch (static_cast<int>(type)) {
    case ACL_FLOAT: return at::kFloat;
    case ACL_FLOAT16: return at::kHalf;
    case ACL_BF16: return at::kBFloat16;
    case ACL_DOUBLE: return at::kDouble;
    case ACL_INT8: return at::kChar;
    case ACL_UINT8: return at::kByte;
    case ACL_INT16: return at::kShort;
    case ACL_INT32: return at::kInt;
    case ACL_INT64: return at::kLong;
    case ACL_BOOL: return at::kBool;
    case ACL_COMPLEX64: return at::kComplexFloat;
    case 35: return at::kFloat8_e5m2;
    case 36: return at::kFloat8_e4m3fn;
    default: TORCH_CHECK(false, "has a tensor of type ", static_cast<int>(type), ", which ATen has not");
  }
}

at::Tensor view(const aclTensor &tensor) {
  const auto options = at::TensorOptions().dtype(scalar_type(tensor.type));
  return at::from_blob(first_byte(tensor), tensor.sizes, tensor.strides, options);
}

c10::Scalar scalar(const aclScalar &given) {
  if (given.type == ACL_BOOL) return c10::Scalar(given.whole != 0);
  const bool real = given.type == ACL_FLOAT || given.type == ACL_DOUBLE;
  return real ? c10::Scalar(given.real) : c10::Scalar(given.whole);
}

// A tensor list with gaps (the lists of index and index_put) or without.
c10::IValue list(const std::vector<aclTensor> &tensors, bool optional) {
  if (optional) {
    c10::List<std::optional<at::Tensor>> made;
    // An empty tensor stands for an axis that is not indexed.
    for (const aclTensor &t : tensors) made.push_back(t.data || t.stored ? std::make_optional(view(t)) : std::nullopt);
    return made;
  }
  c10::List<at::Tensor> made;
  for (const aclTensor &t : tensors) made.push_back(view(t));
  return made;
}

struct Convert {
  const c10::Argument &wanted;

  bool is(c10::TypeKind kind) const {
    auto type = wanted.type();
    if (const auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
    return type->kind() == kind;
  }
  c10::IValue operator()(const Nothing &) const { return {}; }
  c10::IValue operator()(const aclTensor &given) const { return view(given); }
  c10::IValue operator()(const aclScalar &given) const {
    const c10::Scalar made = scalar(given);
    if (is(c10::TypeKind::IntType)) return made.toLong();
    if (is(c10::TypeKind::FloatType)) return made.toDouble();
    return made;
  }
  c10::IValue operator()(const std::vector<int64_t> &given) const { return c10::IValue(given); }
  c10::IValue operator()(const std::vector<aclTensor> &given) const {
    const auto type = wanted.type()->cast<c10::ListType>();
    return list(given, type && type->getElementType()->kind() == c10::TypeKind::OptionalType);
  }
  c10::IValue operator()(int64_t given) const {
    return is(c10::TypeKind::BoolType) ? c10::IValue(given != 0) : c10::IValue(given);
  }
  c10::IValue operator()(double given) const { return given; }
  c10::IValue operator()(bool given) const { return given; }
  c10::IValue operator()(const std::string &given) const { return given; }
  c10::IValue operator()(const Type &given) const { return static_cast<int64_t>(scalar_type(given.type)); }
};

c10::OperatorHandle find(const std::string &aten) {
  const size_t dot = aten.find('.');
  const std::string overload = dot == std::string::npos ? "" : aten.substr(dot + 1);
  return c10::Dispatcher::singleton().findSchemaOrThrow(aten.substr(0, dot).c_str(), overload.c_str());
}

torch::jit::Stack arguments(const c10::FunctionSchema &schema, const std::vector<Given> &given) {
  torch::jit::Stack stack;
  size_t position = 0;
  for (const c10::Argument &wanted : schema.arguments()) {
    const Value *found = nullptr;
    if (position < given.size() && given[position].first.empty()) found = &given[position++].second;
    for (const auto &[name, named] : given)
      if (name == wanted.name()) found = &named;
    if (found) stack.push_back(std::visit(Convert{wanted}, *found));
    else if (wanted.default_value()) stack.push_back(*wanted.default_value());
    else stack.emplace_back();
  }
  return stack;
}

std::vector<at::Tensor> results(const torch::jit::Stack &stack) {
  std::vector<at::Tensor> found;
  for (const c10::IValue &value : stack) {
    if (value.isTensorList())
      for (const at::Tensor &tensor : value.toTensorVector()) found.push_back(tensor);
    else if (value.isTensor()) found.push_back(value.toTensor());
    else found.push_back(at::scalar_tensor(value.toScalar()));
  }
  return found;
}

std::string call(const char *aten, const std::vector<Given> &given, const std::vector<Value> &outs) {
  at::set_num_threads(1);  // a stream is one thread: OpenMP pools of many streams would fight for the cores
  const c10::InferenceMode guard;
  const c10::OperatorHandle op = find(aten);
  torch::jit::Stack stack = arguments(op.schema(), given);
  op.callBoxed(stack);
  const std::vector<at::Tensor> found = results(stack);
  for (size_t i = 0; i < outs.size(); ++i) {
    if (std::holds_alternative<Nothing>(outs[i])) continue;
    at::Tensor out = view(std::get<aclTensor>(outs[i]));
    TORCH_CHECK(i < found.size(), "has ", found.size(), " results for ", outs.size(), " outputs");
    TORCH_CHECK(out.sizes() == found[i].sizes(), "has a result of shape ", found[i].sizes(), " for an output of ",
                out.sizes());
    out.copy_(found[i]);
  }
  return "";
}

std::string cover_all(const std::vector<Given> &given, const std::vector<const aclTensor *> &outs,
                      std::vector<Range> &ranges) {
  std::string problem;
  const auto add = [&](const aclTensor &tensor) {
    if (problem.empty() && tensor.data) problem = cover(&tensor, false, ranges);
  };
  for (const auto &[_, argument] : given) {
    if (const auto *tensor = std::get_if<aclTensor>(&argument)) add(*tensor);
    if (const auto *tensors = std::get_if<std::vector<aclTensor>>(&argument))
      for (const aclTensor &tensor : *tensors) add(tensor);
  }
  for (const aclTensor *out : outs)
    if (problem.empty()) problem = cover(out, true, ranges);
  return problem;
}

}  // namespace

int32_t plan_aten(const char *name, const char *aten, std::vector<Given> given, std::vector<const aclTensor *> outs,
                  uint64_t *workspace, aclOpExecutor **executor) {
  Task task{name, Kind::aicore};
  const std::string problem = cover_all(given, outs, task.ranges);
  if (!problem.empty()) return refuse(Rule::parameter, std::string(name) + " " + problem);
  std::vector<Value> kept;
  for (const aclTensor *out : outs) kept.push_back(value(out));
  task.work = [=]() -> std::string {
    try {
      return call(aten, given, kept);
    } catch (const std::exception &error) {
      const std::string text = error.what();
      return text.substr(0, text.find("\nException raised"));
    }
  };
  return planned(std::move(task), 0, workspace, executor);
}

}  // namespace aclsim
