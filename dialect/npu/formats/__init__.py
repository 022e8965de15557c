"""Number formats and row layouts of the NPU kernels, in vectorised numpy.

Every format module has ``TABLE`` (the value of each code), ``decode(codes)`` and ``encode(values)``. Codes are uint8,
values float32. These are the executable definitions the host kernels and the references are checked against.
"""
