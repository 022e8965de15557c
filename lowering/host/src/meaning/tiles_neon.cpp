// Inner loops with NEON; the build gives this file the flags.
#include "meaning/tiles.h"

#if defined(__ARM_NEON)
#define SA_ISA neon
#include "meaning/tiles_impl.h"

const sa::meaning::Tiles *sa::meaning::tiles_neon() { return sa::meaning::neon::table("neon"); }
#else
const sa::meaning::Tiles *sa::meaning::tiles_neon() { return nullptr; }
#endif
