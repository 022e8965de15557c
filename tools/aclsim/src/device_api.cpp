// The device itself: one of them, named by ACLSIM_SOC; and the switches that change nothing here.
#include <acl/acl.h>
#include <acl/acl_op_compiler.h>
#include <acl/acl_platform.h>

#include <cstring>

#include "device.h"
#include "settings.h"

namespace {

thread_local int32_t current_device = -1;
bool device_used = false;
char the_context;

bool is(const char *soc) { return aclsim::settings().soc.rfind(soc, 0) == 0; }

// Cores of the parts, as their data sheets give them; torch_npu only asks in order to size its own queues.
int64_t cube_cores() { return is("Ascend950") ? 32 : 24; }

}  // namespace

using namespace aclsim;

aclError aclInit(const char *) { return ACL_SUCCESS; }
aclError aclFinalize() { return ACL_SUCCESS; }
const char *aclrtGetSocName() { return settings().soc.c_str(); }

aclError aclrtGetDeviceCount(uint32_t *count) {
  *count = 1;
  return ACL_SUCCESS;
}

aclError aclrtGetDevice(int32_t *id) {
  if (current_device < 0) return refuse(Rule::no_device, "aclrtGetDevice on a thread that has set none");
  *id = current_device;
  return ACL_SUCCESS;
}

aclError aclrtSetDevice(int32_t id) {
  if (id != 0) return refuse(Rule::parameter, "device " + std::to_string(id) + " of 1");
  current_device = id;
  device_used = true;
  return ACL_SUCCESS;
}

aclError aclrtResetDevice(int32_t) {
  current_device = -1;
  return ACL_SUCCESS;
}

aclError aclrtGetCurrentContext(aclrtContext *context) {
  if (current_device < 0) return refuse(Rule::no_device, "aclrtGetCurrentContext on a thread that has set no device");
  *context = &the_context;
  return ACL_SUCCESS;
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  if (context != &the_context) return refuse(Rule::handle, "a context that is not there");
  current_device = 0;
  return ACL_SUCCESS;
}

aclError aclrtGetPrimaryCtxState(int32_t, uint32_t *flags, int32_t *active) {
  if (flags) *flags = 0;
  *active = device_used;
  return ACL_SUCCESS;
}

aclError aclrtGetDeviceInfo(uint32_t, aclrtDevAttr attribute, int64_t *value) {
  switch (static_cast<int>(attribute)) {
    case ACL_DEV_ATTR_AICPU_CORE_NUM: *value = 6; return ACL_SUCCESS;
    case ACL_DEV_ATTR_AICORE_CORE_NUM:
    case ACL_DEV_ATTR_CUBE_CORE_NUM: *value = cube_cores(); return ACL_SUCCESS;
    case ACL_DEV_ATTR_VECTOR_CORE_NUM: *value = 2 * cube_cores(); return ACL_SUCCESS;
    case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE: *value = static_cast<int64_t>(settings().memory); return ACL_SUCCESS;
    case ACL_DEV_ATTR_L2_CACHE_SIZE: *value = int64_t{128} << 20; return ACL_SUCCESS;
    default: return refuse(Rule::unsupported, "device attribute " + std::to_string(attribute));
  }
}

aclError aclGetDeviceCapability(uint32_t, aclDeviceInfo info, int64_t *value) {
  *value = info == ACL_DEVICE_INFO_VECTOR_CORE_NUM ? 2 * cube_cores() : cube_cores();
  return ACL_SUCCESS;
}

aclError aclrtDeviceCanAccessPeer(int32_t *can, int32_t, int32_t) {
  *can = 0;
  return ACL_SUCCESS;
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel) { return ACL_SUCCESS; }
aclError aclrtGetLastError(aclrtLastErrLevel) { return ACL_SUCCESS; }
aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode) { return ACL_SUCCESS; }
aclError aclrtSetOpExecuteTimeOut(uint32_t) { return ACL_SUCCESS; }
aclError aclrtSetOpWaitTimeout(uint32_t) { return ACL_SUCCESS; }
aclError aclrtSetStreamFailureMode(aclrtStream, uint64_t) { return ACL_SUCCESS; }
aclError aclrtSetStreamOverflowSwitch(aclrtStream, uint32_t) { return ACL_SUCCESS; }
aclError aclrtSetStreamAttribute(aclrtStream, aclrtStreamAttr, aclrtStreamAttrValue *) { return ACL_SUCCESS; }
aclError aclrtCtxSetSysParamOpt(aclSysParamOpt, int64_t) { return ACL_SUCCESS; }
aclError aclrtSetSysParamOpt(aclSysParamOpt, int64_t) { return ACL_SUCCESS; }

aclError aclrtGetSysParamOpt(aclSysParamOpt, int64_t *value) {
  *value = 0;
  return ACL_SUCCESS;
}

size_t aclGetCompileoptSize(aclCompileOpt) { return 8; }

aclError aclGetCompileopt(aclCompileOpt, char *value, size_t length) {
  std::strncpy(value, "disable", length);
  return ACL_SUCCESS;
}

aclError aclSetCompileopt(aclCompileOpt, const char *) { return ACL_SUCCESS; }
void aclAppLog(aclLogLevel, const char *, const char *, uint32_t, const char *, ...) {}

aclError aclmdlInitDump() { return ACL_SUCCESS; }
aclError aclmdlFinalizeDump() { return ACL_SUCCESS; }
aclError aclmdlSetDump(const char *) { return ACL_SUCCESS; }
