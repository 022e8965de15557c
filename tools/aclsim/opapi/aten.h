// Calls an ATen operator of the CPU, found by name, with the arguments of an aclnn call.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "handles.h"

namespace aclsim {

struct Nothing {};
struct Type {
  aclDataType type;
};

// An argument as the aclnn function was given it, copied: the caller destroys its handles before the task runs.
using Value = std::variant<Nothing, aclTensor, aclScalar, std::vector<int64_t>, std::vector<aclTensor>, int64_t, double,
                           bool, std::string, Type>;

inline Value value(const aclTensor *given) { return given ? Value(*given) : Value(Nothing{}); }
inline Value value(const aclScalar *given) { return given ? Value(*given) : Value(Nothing{}); }
inline Value value(const aclIntArray *given) { return given ? Value(given->values) : Value(Nothing{}); }
inline Value value(const aclTensorList *given) { return given ? Value(given->tensors) : Value(Nothing{}); }
inline Value value(const char *given) { return given ? Value(std::string(given)) : Value(Nothing{}); }
inline Value value(int64_t given) { return Value(given); }
inline Value value(double given) { return Value(given); }
inline Value value(bool given) { return Value(given); }
inline Value value(aclDataType given) { return Value(Type{given}); }
inline Value value(Nothing) { return Value(Nothing{}); }

// An argument of the ATen operator: by position (name empty) or by name.
using Given = std::pair<std::string, Value>;

// First phase of aclnn function `name`, which is the ATen operator `aten` ("aten::add.Tensor") whose results are copied
// into `outs` in order (a null one is dropped).
int32_t plan_aten(const char *name, const char *aten, std::vector<Given> given, std::vector<const aclTensor *> outs,
                  uint64_t *workspace, aclOpExecutor **executor);

}  // namespace aclsim
