/// libmpg123, and what Swift cannot import of it: functions that a macro gives another name.
#pragma once

#include <mpg123.h>

/// Sets a number (mpg123_param).
static inline int bk_mpg123_set(mpg123_handle *handle, enum mpg123_parms key, long value) {
  return mpg123_param(handle, key, value, 0);
}

/// Decodes the frame that was read last (mpg123_framebyframe_decode).
static inline int bk_mpg123_decode(mpg123_handle *handle, unsigned char **samples, size_t *byte_count) {
  return mpg123_framebyframe_decode(handle, NULL, samples, byte_count);
}
