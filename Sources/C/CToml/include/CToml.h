/// Parses TOML 1.0 with libtomlplusplus into a list of nodes. No C++ exception leaves these functions.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  BK_TOML_TABLE,
  BK_TOML_ARRAY,
  BK_TOML_TEXT,
  BK_TOML_INTEGER,
  BK_TOML_NUMBER,
  BK_TOML_FLAG,
  /// A date or time, without its value.
  BK_TOML_MOMENT,
} bk_toml_kind;

/// A value. Its `count` children follow in the list, and each child precedes its own children. Text is UTF-8, may
/// contain zeros, and is valid until `bk_toml_free`.
typedef struct {
  bk_toml_kind kind;
  /// NULL for array elements and the root.
  const char *key;
  size_t key_length;
  const char *text;
  size_t text_length;
  /// Also 0 or 1 for a flag.
  int64_t integer;
  double number;
  size_t count;
  /// The position of the key, or of a value without a key; from 1.
  uint32_t line, column;
  /// The last line of the value; for a table, of its header or brace.
  uint32_t last_line;
} bk_toml_node;

typedef struct bk_toml bk_toml;

/// Parses a document; NULL without memory or after a failed assertion. Values nest 16 levels at most.
bk_toml *bk_toml_read(const char *bytes, size_t count);
void bk_toml_free(bk_toml *document);
/// Returns the fault and writes its position, from 1; NULL for a valid document.
const char *bk_toml_failure(const bk_toml *document, uint32_t *line, uint32_t *column);
/// Returns the nodes, the root first; `count` is 0 for an invalid document.
const bk_toml_node *bk_toml_nodes(const bk_toml *document, size_t *count);

#ifdef __cplusplus
}
#endif
