// Errors: kernels throw sa::Error, the C entry points turn it into a text and a non-zero code.
#pragma once

#include <cstdint>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "sparse_attn_host.h"

namespace sa {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// printf-style; throws Error.
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Throws "tensor <name> at [i,j] is <value>, must be <rule>".
[[noreturn]] void fail_value(const char *name, const std::vector<int64_t> &at, int64_t value, const std::string &rule);

// "[2,3,4]"
std::string shape_text(const int64_t *size, int64_t rank);

// Body of every C entry point:
//   extern "C" int sa_example(..., sa_error *error) { return sa::guarded(error, [&] { ... }); }
template <class Body>
int guarded(sa_error *error, Body &&body) {
  try {
    body();
    return 0;
  } catch (const std::bad_alloc &) {
    if (error) std::snprintf(error->text, sizeof error->text, "out of memory: use fewer rows per call");
  } catch (const std::exception &caught) {
    if (error) std::snprintf(error->text, sizeof error->text, "%s", caught.what());
  }
  return 1;
}

}  // namespace sa
