/// libFLAC, and its version, a variable that Swift takes for one that may change.
#pragma once

#include <FLAC/stream_decoder.h>

static inline const char *bk_flac_version(void) {
  return FLAC__VERSION_STRING;
}
