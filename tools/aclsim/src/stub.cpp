// What every name answers that is only there to be linked with (the generated list of stubs calls it).
#include <cstdlib>
#include <cstring>

#include "rules.h"

extern "C" int64_t aclsim_stub(const char *name) {
  const int32_t code = aclsim::refuse(aclsim::Rule::unsupported, std::string("function ") + name);
  if (std::strncmp(name, "_Z", 2) == 0) std::abort();  // a C++ function has no code to answer with
  return code;
}
