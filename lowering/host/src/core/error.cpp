#include "core/error.h"

#include <cstdarg>

namespace sa {

void fail(const char *format, ...) {
  char text[sizeof(sa_error::text)];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  throw Error(text);
}

std::string shape_text(const int64_t *size, int64_t rank) {
  std::string text = "[";
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (axis) text += ",";
    text += std::to_string(size[axis]);
  }
  return text + "]";
}

void fail_value(const char *name, const std::vector<int64_t> &at, int64_t value, const std::string &rule) {
  fail("tensor %s at %s is %lld, must be %s", name, shape_text(at.data(), static_cast<int64_t>(at.size())).c_str(),
       static_cast<long long>(value), rule.c_str());
}

}  // namespace sa

extern "C" int32_t sa_abi_version(void) { return SA_ABI_VERSION; }
