// Inner loops with AVX-512 F, VL, BW, DQ; the build gives this file the flags.
#include "meaning/tiles.h"

#if defined(__AVX512F__)
#define SA_ISA avx512
#include "meaning/tiles_impl.h"

const sa::meaning::Tiles *sa::meaning::tiles_avx512() { return sa::meaning::avx512::table("avx512"); }
#else
const sa::meaning::Tiles *sa::meaning::tiles_avx512() { return nullptr; }
#endif
