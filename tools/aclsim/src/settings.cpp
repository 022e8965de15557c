#include "settings.h"

#include <cstdlib>

namespace aclsim {
namespace {

std::string text(const char *name, const char *otherwise) {
  const char *found = std::getenv(name);
  return found && *found ? found : otherwise;
}

size_t number(const char *name, size_t otherwise) {
  const char *found = std::getenv(name);
  return found && *found ? std::strtoull(found, nullptr, 10) : otherwise;
}

std::string soc_name() {
  const std::string asked = text("ACLSIM_SOC", "ascend950");
  if (asked == "ascend950") return "Ascend950PR_9589";
  if (asked == "a3") return "Ascend910_9391";
  if (asked == "a2") return "Ascend910B1";
  return asked;
}

}  // namespace

const Settings &settings() {
  static const Settings made{soc_name(),
                             number("ACLSIM_MEMORY", size_t{16} << 30),
                             number("ACLSIM_STREAMS", 1984),
                             number("ACLSIM_EVENTS", 65536),
                             number("ACLSIM_TASKS_PER_STREAM", 2048),
                             text("ASCEND_LAUNCH_BLOCKING", "0") == "1",
                             static_cast<double>(number("ACLSIM_WAIT_SECONDS", 60)),
                             text("ACLSIM_ORDER", "captured"),
                             text("ACLSIM_TRACES", "")};
  return made;
}

}  // namespace aclsim
