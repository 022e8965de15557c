// Helpers of other libraries that torch_npu calls at every turn: bounded strings, and a profiler that records nothing.
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

extern "C" {

int strcpy_s(char *to, size_t capacity, const char *from) {
  if (std::strlen(from) >= capacity) return 34;  // ERANGE: nothing is written
  std::strcpy(to, from);
  return 0;
}

int vsnprintf_s(char *to, size_t capacity, size_t count, const char *format, va_list values) {
  const size_t limit = count < capacity ? count + 1 : capacity;
  const int wanted = std::vsnprintf(to, limit, format, values);
  return wanted < 0 || static_cast<size_t>(wanted) >= limit ? -1 : wanted;
}

int snprintf_s(char *to, size_t capacity, size_t count, const char *format, ...) {
  va_list values;
  va_start(values, format);
  const int written = vsnprintf_s(to, capacity, count, format, values);
  va_end(values);
  return written;
}

int32_t MsprofRegisterCallback(uint32_t, void *) { return 0; }
int32_t MsprofReportApi(uint32_t, const void *) { return 0; }
int32_t MsprofReportCompactInfo(uint32_t, const void *, uint32_t) { return 0; }
int32_t MsprofReportAdditionalInfo(uint32_t, const void *, uint32_t) { return 0; }
uint64_t MsprofGetHashId(const char *, size_t) { return 0; }
uint64_t MsprofSysCycleTime() { return 0; }

}  // extern "C"
