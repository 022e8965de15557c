// The operators of the time before aclnn: descriptions are held so that a call can be refused by its operator's name.
#include <acl/acl.h>
#include <acl/acl_op_compiler.h>

#include <vector>

#include "rules.h"

using namespace aclsim;

struct aclTensorDesc {
  aclDataType type;
  aclFormat format;
  std::vector<int64_t> sizes;
};
struct aclDataBuffer {
  void *data;
  size_t size;
};
struct aclopAttr {};

aclTensorDesc *aclCreateTensorDesc(aclDataType type, int rank, const int64_t *sizes, aclFormat format) {
  return new aclTensorDesc{type, format, std::vector<int64_t>(sizes, sizes + rank)};
}
void aclDestroyTensorDesc(const aclTensorDesc *description) { delete description; }
aclDataType aclGetTensorDescType(const aclTensorDesc *description) { return description->type; }
aclFormat aclGetTensorDescFormat(const aclTensorDesc *description) { return description->format; }
size_t aclGetTensorDescNumDims(const aclTensorDesc *description) { return description->sizes.size(); }
aclError aclGetTensorDescDimV2(const aclTensorDesc *description, size_t axis, int64_t *size) {
  *size = description->sizes.at(axis);
  return ACL_SUCCESS;
}
void aclSetTensorDescName(aclTensorDesc *, const char *) {}
aclError aclSetTensorFormat(aclTensorDesc *, aclFormat) { return ACL_SUCCESS; }
aclError aclSetTensorShape(aclTensorDesc *, int, const int64_t *) { return ACL_SUCCESS; }
aclError aclSetTensorPlaceMent(aclTensorDesc *, aclMemType) { return ACL_SUCCESS; }
aclDataBuffer *aclCreateDataBuffer(void *data, size_t size) { return new aclDataBuffer{data, size}; }
aclError aclDestroyDataBuffer(const aclDataBuffer *buffer) {
  delete buffer;
  return ACL_SUCCESS;
}

aclopAttr *aclopCreateAttr() { return new aclopAttr; }
void aclopDestroyAttr(const aclopAttr *attribute) { delete attribute; }
aclError aclopSetAttrBool(aclopAttr *, const char *, uint8_t) { return ACL_SUCCESS; }
aclError aclopSetAttrInt(aclopAttr *, const char *, int64_t) { return ACL_SUCCESS; }
aclError aclopSetAttrFloat(aclopAttr *, const char *, float) { return ACL_SUCCESS; }
aclError aclopSetAttrString(aclopAttr *, const char *, const char *) { return ACL_SUCCESS; }
aclError aclopSetAttrDataType(aclopAttr *, const char *, aclDataType) { return ACL_SUCCESS; }
aclError aclopSetAttrListBool(aclopAttr *, const char *, int, const uint8_t *) { return ACL_SUCCESS; }
aclError aclopSetAttrListInt(aclopAttr *, const char *, int, const int64_t *) { return ACL_SUCCESS; }
aclError aclopSetAttrListFloat(aclopAttr *, const char *, int, const float *) { return ACL_SUCCESS; }
aclError aclopSetAttrListListInt(aclopAttr *, const char *, int, const int *, const int64_t *const[]) {
  return ACL_SUCCESS;
}

aclError aclopCompileAndExecute(const char *type, int, const aclTensorDesc *const[], const aclDataBuffer *const[], int,
                                const aclTensorDesc *const[], aclDataBuffer *const[], const aclopAttr *,
                                aclopEngineType, aclopCompileType, const char *, aclrtStream) {
  return refuse(Rule::unsupported, std::string("operator ") + type + " of the time before aclnn");
}

aclError aclopCompileAndExecuteV2(const char *type, int, aclTensorDesc *[], aclDataBuffer *[], int, aclTensorDesc *[],
                                  aclDataBuffer *[], aclopAttr *, aclopEngineType, aclopCompileType, const char *,
                                  aclrtStream) {
  return refuse(Rule::unsupported, std::string("operator ") + type + " of the time before aclnn");
}
