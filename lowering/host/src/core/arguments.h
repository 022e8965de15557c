// Scalar arguments: words, choices and ranges, refused with the argument's name.
#pragma once

#include <cstring>

#include "core/error.h"

namespace sa {

// A word may be null: it was not given.
inline bool is_word(const char *word, const char *expected) { return word && std::strcmp(word, expected) == 0; }

inline std::string scalar_text(int64_t value) { return value == SA_NONE ? "absent" : std::to_string(value); }

inline void require_word(const char *word, const char *name, std::initializer_list<const char *> allowed) {
  std::string words;
  for (const char *one : allowed) {
    if (is_word(word, one)) return;
    words += (words.empty() ? "" : " or ") + std::string(one);
  }
  fail("%s is %s, must be %s", name, word ? word : "absent", words.c_str());
}

inline void require_choice(int64_t value, const char *name, std::initializer_list<int64_t> allowed) {
  std::string choices;
  for (int64_t one : allowed) {
    if (value == one) return;
    choices += (choices.empty() ? "" : " or ") + std::to_string(one);
  }
  fail("%s is %s, must be %s", name, scalar_text(value).c_str(), choices.c_str());
}

inline void require_range(int64_t value, const char *name, int64_t low, int64_t high) {
  if (value < low || value > high)
    fail("%s is %s, must be in %lld..%lld", name, scalar_text(value).c_str(), static_cast<long long>(low),
         static_cast<long long>(high));
}

}  // namespace sa
