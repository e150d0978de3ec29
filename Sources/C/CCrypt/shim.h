#pragma once
#include <crypt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// The hash of a phrase by a setting (crypt_r(3)), `CRYPT_OUTPUT_SIZE` bytes at most with its end; false where the
/// setting is none, or there is no memory.
static inline bool bk_crypt(const char *phrase, const char *setting, char *hash) {
  struct crypt_data *data = (struct crypt_data *)calloc(1, sizeof *data);
  if (!data) return false;
  const char *made = crypt_r(phrase, setting, data);
  bool is_made = made && made[0] != '*';
  if (is_made) {
    size_t length = strnlen(made, CRYPT_OUTPUT_SIZE - 1);
    memcpy(hash, made, length);
    hash[length] = 0;
  }
  explicit_bzero(data, sizeof *data);
  free(data);
  return is_made;
}

/// A setting for a new hash, with salt from the kernel (crypt_gensalt_rn(3)), `CRYPT_GENSALT_OUTPUT_SIZE` bytes at most
/// with its end; false where there is none.
static inline bool bk_crypt_setting(const char *prefix, unsigned long cost, char *setting) {
  return crypt_gensalt_rn(prefix, cost, NULL, 0, setting, CRYPT_GENSALT_OUTPUT_SIZE) != NULL;
}
