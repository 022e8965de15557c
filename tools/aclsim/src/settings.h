// What the environment says about the simulated device; read once, when first asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace aclsim {

struct Settings {
  std::string soc;            // ACLSIM_SOC: ascend950 (default), a3, a2, or a full SoC name
  size_t memory;              // ACLSIM_MEMORY: bytes of the device, 16 GiB
  size_t streams;             // ACLSIM_STREAMS: 1984
  size_t events;              // ACLSIM_EVENTS: 65536
  size_t tasks_of_stream;     // ACLSIM_TASKS_PER_STREAM: tasks of a graph that one device stream holds, 2048
  bool launch_blocking;       // ASCEND_LAUNCH_BLOCKING=1, as the runtime reads it: every launch waits for its task
  double wait_seconds;        // ACLSIM_WAIT_SECONDS: how long a stream waits for an event, 60
  std::string order;          // ACLSIM_ORDER: captured (default), reversed, or a seed: which ready task a replay takes
  std::string traces;         // ACLSIM_TRACES: folder for a JSON file per captured graph; none without it
};

const Settings &settings();

}  // namespace aclsim
