// Everything a kernel file needs; start here.
//
//   error.h     fail(), fail_value(), guarded()          what is wrong, where, what would be right
//   arguments.h require_word(), require_choice(), ...    scalar arguments
//   tensor.h    require*(), view<T, Rank>()              checked descriptors, typed strided access
//   numbers.h   bf16 fp16 e4m3 e5m2 e8m0 hif8 fp4x2           decode tables and encoders
//   rows.h      read_row(), write_row()                  runs of any dtype to and from fp32
//   lengths.h   read_cu_seqlens(), BlockTable, ...       integers that are checked before they are followed
//   parallel.h  parallel_for()                           the same bits for any number of threads
//
// A kernel has two halves. The first reads and checks every descriptor, length, block id and index and may fail; the
// second computes and cannot. So an error never leaves a half-written result:
//
//   extern "C" int sa_example(const sa_tensor *x, const sa_tensor *rows, sa_tensor *out, int32_t num_threads, sa_error *error) {
//     return sa::guarded(error, [&] {
//       const auto source = sa::view<const float, 2>(x, "x");
//       const auto picks = sa::read_bounded(rows, "rows", -1, 0, source.size[0] - 1);
//       const auto target = sa::view<float, 2>(out, "out", {int64_t(picks.size()), source.size[1]});
//       sa::parallel_for(target.size[0], num_threads, [&](int64_t i) {
//         for (int64_t d = 0; d < target.size[1]; ++d) target(i, d) = source(picks[size_t(i)], d);
//       });
//     });
//   }
#pragma once

#include "core/arguments.h"
#include "core/error.h"
#include "core/lengths.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "core/rows.h"
#include "core/tensor.h"
