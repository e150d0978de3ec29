#pragma once
#include <kissfft/kiss_fft.h>

/// Frees a plan; a macro in the library.
static inline void bk_fft_free(kiss_fft_cfg plan) { kiss_fft_free(plan); }
