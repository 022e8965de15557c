#include <algorithm>
#include <cstring>

#include "meaning/visibility.h"

extern "C" int sa_meaning_selection(const sa_tensor *indices, int64_t extent, const char *form, sa_tensor *result,
                                    int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::require_dtype(indices, "indices", {SA_INT32, SA_INT64});
    sa::require_shape(indices, "indices", {-1, -1, -1});
    if (!form || std::strcmp(form, "mask") != 0) sa::fail("form is \"%s\", must be mask", form ? form : "(absent)");
    if (extent < 0) sa::fail("extent is %lld, must be at least 0", static_cast<long long>(extent));
    const int64_t rows = indices->size[1], entries = indices->size[2];
    sa::require_dtype(result, "result", {SA_BOOL});
    sa::require_shape(result, "result", {indices->size[0], rows, extent});
    sa::meaning::require_dense(result, "result");
    sa::parallel_for(indices->size[0] * rows, num_threads, [&](int64_t item) {
      auto *line = static_cast<uint8_t *>(result->data) + item * extent;
      std::fill_n(line, extent, uint8_t(0));
      const int64_t at = item / rows * indices->stride[0] + item % rows * indices->stride[1];
      for (int64_t i = 0; i < entries; ++i) {
        const int64_t key = sa::read_int(*indices, at + i * indices->stride[2]);
        if (key >= 0 && key < extent) line[key] = 1;
      }
    });
  });
}
