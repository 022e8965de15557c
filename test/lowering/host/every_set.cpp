// Runs kernels of the C interface with every instruction set of the machine and compares each with portable code.
// Prints one line a set: its name and how many results agreed. Ends with 1 where one did not. Its argument is a file: the
// portable results are written there, or, if it is there already, compared with what another machine wrote.
//
// It needs no torch and no Python, so that it can be built for another architecture and run by an emulator.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "sparse_attn_host.h"

namespace {

uint32_t state;

float next() {  // in [-1, 1)
  state = state * 1664525u + 1013904223u;
  return float(state >> 8) / float(1 << 23) - 1.0f;
}

// A contiguous tensor with its memory.
struct Array {
  std::vector<unsigned char> bytes;
  sa_tensor view = {};

  Array(int32_t dtype, int64_t width, std::initializer_list<int64_t> sizes) {
    int64_t count = 1;
    view.dtype = dtype;
    for (const int64_t size : sizes) view.size[view.rank++] = size;
    for (int axis = view.rank; axis-- > 0; count *= view.size[axis]) view.stride[axis] = count;
    bytes.resize(size_t(count * width) + 64);
    view.data = bytes.data();
  }
  int64_t count() const { return view.size[0] * view.stride[0]; }
  template <class T> T *as() { return reinterpret_cast<T *>(bytes.data()); }
};

Array floats(std::initializer_list<int64_t> sizes, int32_t dtype = SA_FP32) {
  Array made(SA_FP32, 4, sizes);
  for (int64_t i = 0; i < made.count(); ++i) made.as<float>()[i] = next();
  if (dtype == SA_FP32) return made;
  Array narrow(dtype, 2, sizes);
  sa_error error;
  if (sa_convert(&made.view, 0, &narrow.view, 1, &error)) std::printf("convert: %s\n", error.text), std::exit(2);
  return narrow;
}

void require(int failed, const sa_error &error) {
  if (failed) std::printf("a kernel refused: %s\n", error.text), std::exit(2);
}

using Results = std::vector<std::vector<float>>;

void keep(Results &results, Array &made) { results.emplace_back(made.as<float>(), made.as<float>() + made.count()); }

void attend(Results &results, int64_t rows, int64_t heads, int64_t groups, int64_t width, int64_t keys, int64_t picks, int32_t dtype) {
  Array query = floats({2, rows, heads, width}), key = floats({2, keys, groups, width}, dtype);
  Array list(SA_INT32, 4, {2, rows, picks ? picks : 1}), out(SA_FP32, 4, {2, rows, heads, width}), lse(SA_FP32, 4, {2, rows, heads});
  for (int64_t i = 0; i < list.count(); ++i) list.as<int32_t>()[i] = int32_t(i % list.view.size[2] * (keys / list.view.size[2]));
  sa_error error;
  require(sa_meaning_attention(&query.view, &key.view, nullptr, nullptr, picks ? &list.view : nullptr, nullptr, nullptr, nullptr,
                               nullptr, nullptr, 0.3, -1, "causal", -1, -1, "none", 1, "zero", 1, &out.view, &lse.view, 2, &error),
          error);
  keep(results, out), keep(results, lse);
}

void index(Results &results, int64_t rows, int64_t heads, int64_t width, int64_t keys, int32_t dtype) {
  Array query = floats({1, rows, heads, width}, dtype), key = floats({1, keys, width}, dtype), weights = floats({1, rows, heads});
  Array picks(SA_INT32, 4, {1, rows, 9}), values(SA_FP32, 4, {1, rows, 9}), scores(SA_FP32, 4, {1, rows, keys});
  sa_error error;
  require(sa_meaning_lightning_indexer(&query.view, &key.view, &weights.view, nullptr, nullptr, nullptr, nullptr, 9, 0.1, "relu",
                                       "weighted", "causal", 1, 1, &picks.view, &values.view, 2, &error), error);
  require(sa_meaning_index_scores(&query.view, &key.view, &weights.view, nullptr, nullptr, 0.1, "none", "weighted", &scores.view, 2,
                                  &error), error);
  keep(results, values), keep(results, scores);
}

// int8: scores are the same bits with every set.
void index_int8(Results &results, int64_t heads) {
  Array query(SA_INT8, 1, {1, 3, heads, 128}), key(SA_INT8, 1, {1, 150, 1, 128});
  for (int64_t i = 0; i < query.count(); ++i) query.as<int8_t>()[i] = int8_t(next() * 128);
  for (int64_t i = 0; i < key.count(); ++i) key.as<int8_t>()[i] = int8_t(next() * 128);
  Array weights = floats({1, 3, heads}, SA_FP16), scale = floats({1, 3, heads}, SA_FP16), key_scale = floats({1, 150, 1}, SA_FP16);
  Array picks(SA_INT32, 4, {1, 3, 1, 40}), values(SA_FP32, 4, {1, 3, 1, 40});
  sa_error error;
  require(sa_quant_lightning_indexer(&query.view, &key.view, &weights.view, &scale.view, &key_scale.view, 40, 2, nullptr, nullptr,
                                     nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, -1, "BSND", "BSND", 0, 1, 1, &picks.view,
                                     &values.view, 2, &error), error);
  for (int64_t i = 0; i < picks.count(); ++i) values.as<float>()[i] = values.as<float>()[i] * 1e6f + float(picks.as<int32_t>()[i]);
  keep(results, values);
}

Results everything() {
  Results results;
  state = 1;
  for (const int32_t dtype : {SA_FP32, SA_BF16, SA_FP16}) {
    attend(results, 40, 16, 1, 64, 50, 0, dtype);    // panels, many rows
    attend(results, 9, 20, 1, 72, 300, 100, dtype);  // lists of a row
    attend(results, 30, 6, 3, 40, 90, 20, dtype);    // few heads, rows together
    attend(results, 1, 6, 3, 37, 130, 0, dtype);     // streaming, an odd width
    attend(results, 1, 24, 24, 64, 700, 300, dtype); // streaming, many groups, parts of keys
    index(results, 30, 8, 64, 200, dtype);
    index(results, 1, 7, 24, 1500, dtype);
  }
  for (const int64_t heads : {1, 4, 6, 64}) index_int8(results, heads);
  return results;
}

bool agree(const std::vector<float> &one, const std::vector<float> &other) {
  float largest = 1e-30f;
  for (const float value : other)
    if (std::isfinite(value)) largest = std::fmax(largest, std::fabs(value));
  for (size_t i = 0; i < one.size(); ++i) {
    const bool both = std::isfinite(one[i]) && std::isfinite(other[i]);
    if (both ? !(std::fabs(one[i] - other[i]) <= 1e-5f * largest) : one[i] != other[i]) return false;
  }
  return true;
}

// Writes the results, or reads as many from the file when it is there.
Results written_or_read(const char *path, Results results) {
  if (FILE *file = std::fopen(path, "rb")) {
    for (std::vector<float> &each : results)
      if (std::fread(each.data(), sizeof(float), each.size(), file) != each.size()) std::printf("%s is too short\n", path), std::exit(2);
    std::fclose(file);
    return results;
  }
  FILE *file = std::fopen(path, "wb");
  if (!file) std::printf("cannot write %s\n", path), std::exit(2);
  for (const std::vector<float> &each : results) std::fwrite(each.data(), sizeof(float), each.size(), file);
  std::fclose(file);
  return results;
}

}  // namespace

int main(int count, char **arguments) {
  setenv("SPARSE_ATTN_ISA", "portable", 1);
  const Results wanted = count > 1 ? written_or_read(arguments[1], everything()) : everything();
  std::string names = sa_meaning_instruction_sets();
  bool all = true;
  for (size_t from = 0; from <= names.size();) {
    const size_t to = std::min(names.find(',', from), names.size());
    const std::string name = names.substr(from, to - from);
    setenv("SPARSE_ATTN_ISA", name.c_str(), 1);
    const Results found = everything();
    size_t good = 0;
    for (size_t i = 0; i < wanted.size(); ++i) good += agree(found[i], wanted[i]);
    std::printf("%s %zu of %zu\n", name.c_str(), good, wanted.size());
    all &= good == wanted.size();
    from = to + 1;
  }
  return all ? 0 : 1;
}
