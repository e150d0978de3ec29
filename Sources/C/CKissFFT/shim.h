#pragma once
#include <kissfft/kiss_fft.h>

/// Frees what kiss_fft_alloc gave; a macro there.
static inline void bk_fft_free(kiss_fft_cfg plan) { kiss_fft_free(plan); }
