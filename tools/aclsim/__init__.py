"""The ACL host simulator: the genuine torch_npu runs on it, on a machine without an NPU."""
