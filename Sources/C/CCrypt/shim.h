#pragma once
#include <crypt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// Hashes a phrase (crypt_r(3)) into `hash`, `CRYPT_OUTPUT_SIZE` bytes; false for an invalid setting or without memory.
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

/// Creates a setting with random salt (crypt_gensalt_rn(3)), `CRYPT_GENSALT_OUTPUT_SIZE` bytes; false on failure.
static inline bool bk_crypt_setting(const char *prefix, unsigned long cost, char *setting) {
  return crypt_gensalt_rn(prefix, cost, NULL, 0, setting, CRYPT_GENSALT_OUTPUT_SIZE) != NULL;
}
