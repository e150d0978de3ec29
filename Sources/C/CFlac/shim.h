/// Imports libFLAC; wraps its version, which Swift would import as a mutable variable.
#pragma once

#include <FLAC/stream_decoder.h>

static inline const char *bk_flac_version(void) {
  return FLAC__VERSION_STRING;
}
