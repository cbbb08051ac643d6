/* What a library of the hand-made program exports. */
#include "../../lib/Runtime/Stub.h"

__attribute__((visibility("default"))) const ptc_api *handmade_ptc_v1(void);
const ptc_api *handmade_ptc_v1(void) { return &ptc_stub_api; }
