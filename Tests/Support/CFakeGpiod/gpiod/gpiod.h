// Replaces libgpiod's header for shim.h.
#pragma once

#if FAKE_GPIOD == 1
#include "gpiod-1.6.h"
#else
#include "gpiod-2.h"
#endif
