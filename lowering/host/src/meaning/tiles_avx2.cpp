// Inner loops with AVX2 and FMA; the build gives this file the flags.
#include "meaning/tiles.h"

#if defined(__AVX2__) && defined(__FMA__)
#define SA_ISA avx2
#include "meaning/tiles_impl.h"

const sa::meaning::Tiles *sa::meaning::tiles_avx2() { return sa::meaning::avx2::table("avx2"); }
#else
const sa::meaning::Tiles *sa::meaning::tiles_avx2() { return nullptr; }
#endif
