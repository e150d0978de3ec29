// What shim.h finds in this folder in the place of libgpiod's header.
#pragma once

#if FAKE_GPIOD == 1
#include "gpiod-1.6.h"
#else
#include "gpiod-2.h"
#endif
