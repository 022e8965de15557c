// Inner loops with no instruction set beyond the compiler's default for the architecture.
#define SA_ISA portable
#include "meaning/tiles_impl.h"

const sa::meaning::Tiles *sa::meaning::tiles_portable() { return sa::meaning::portable::table("portable"); }
