#include "rules.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace aclsim {
namespace {

const RuleText kRules[] = {
#define ACLSIM_RULE(name, code, certainty, source, text) {#name, code, certainty, source, text},
#include "rules.inc"
#undef ACLSIM_RULE
};

std::mutex last_mutex;
std::string last_message;
thread_local std::string answered;

std::string quoted(const char *text) {
  std::string out = "\"";
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\') out += '\\';
    out += *text;
  }
  return out + '"';
}

}  // namespace

const RuleText &text_of(Rule rule) { return kRules[static_cast<int>(rule)]; }

void remember(const std::string &text) {
  static const bool log = std::getenv("ACLSIM_LOG") != nullptr;
  if (log) std::fprintf(stderr, "[aclsim] %s\n", text.c_str());
  std::lock_guard<std::mutex> hold(last_mutex);
  last_message = text;
}

int32_t refuse(Rule rule, const std::string &what) {
  const RuleText &text = text_of(rule);
  remember("aclsim " + std::to_string(text.code) + " [" + text.name + ", " + text.certainty + "] " + what +
           ". The rule: " + text.text + " (" + text.source + ")");
  return text.code;
}

}  // namespace aclsim

extern "C" const char *aclGetRecentErrMsg() {
  std::lock_guard<std::mutex> hold(aclsim::last_mutex);
  aclsim::answered = aclsim::last_message;
  return aclsim::answered.c_str();
}

// All rules as JSON: [{"name", "code", "certainty", "source", "rule"}].
extern "C" const char *aclsimRules() {
  static const std::string json = [] {
    std::string out = "[";
    for (const aclsim::RuleText &rule : aclsim::kRules) {
      if (out.size() > 1) out += ", ";
      out += "{\"name\": " + aclsim::quoted(rule.name) + ", \"code\": " + std::to_string(rule.code) +
             ", \"certainty\": " + aclsim::quoted(rule.certainty) + ", \"source\": " + aclsim::quoted(rule.source) +
             ", \"rule\": " + aclsim::quoted(rule.text) + "}";
    }
    return out + "]";
  }();
  return json.c_str();
}
