/// Imports libmpg123; wraps functions that a macro renames.
#pragma once

#include <mpg123.h>

static inline int bk_mpg123_set(mpg123_handle *handle, enum mpg123_parms key, long value) {
  return mpg123_param(handle, key, value, 0);
}

static inline int bk_mpg123_decode(mpg123_handle *handle, unsigned char **samples, size_t *byte_count) {
  return mpg123_framebyframe_decode(handle, NULL, samples, byte_count);
}
