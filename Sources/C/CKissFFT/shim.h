#pragma once
#include <kissfft/kiss_fft.h>

/// Wraps a macro.
static inline void bk_fft_free(kiss_fft_cfg plan) { kiss_fft_free(plan); }
