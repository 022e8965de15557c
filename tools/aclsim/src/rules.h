// The rules the simulator enforces. Each has a number that its message carries, the error code it answers with, where
// the rule is published, and whether it is documented there or inferred (from a name, or from how the parts fit).
#pragma once

#include <cstdint>
#include <string>

namespace aclsim {

enum class Rule {
#define ACLSIM_RULE(name, code, certainty, source, text) name,
#include "rules.inc"
#undef ACLSIM_RULE
};

struct RuleText {
  const char *name;
  int32_t code;
  const char *certainty;
  const char *source;
  const char *text;
};

const RuleText &text_of(Rule rule);

// Says what was refused, keeps the text for aclGetRecentErrMsg, and answers the rule's code.
int32_t refuse(Rule rule, const std::string &what);

// Keeps a text for aclGetRecentErrMsg without a rule.
void remember(const std::string &text);

}  // namespace aclsim
