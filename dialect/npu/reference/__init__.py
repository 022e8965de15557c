"""What each kernel computes, in numpy: short definitions the host kernels are tested against."""
