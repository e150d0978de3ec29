/// TOML 1.0 as libtomlplusplus reads it: a document becomes a list of nodes, each with its place. No C++ exception
/// leaves this header's functions.
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
  /// A date, a time or both: known, and of no use here.
  BK_TOML_MOMENT,
} bk_toml_kind;

/// A value. Its children, `count` of them, come behind it, each before its own children. Text is UTF-8, may hold zeros
/// and lives as long as the document.
typedef struct {
  bk_toml_kind kind;
  /// The key's text; NULL for an array's element and for the root.
  const char *key;
  size_t key_length;
  const char *text;
  size_t text_length;
  /// Also 0 or 1 for a flag.
  int64_t integer;
  double number;
  size_t count;
  /// Where the key begins, or the value where there is no key; from 1.
  uint32_t line, column;
  /// The line in which the value ends; of a table, that in which its header or its brace ends.
  uint32_t last_line;
} bk_toml_node;

typedef struct bk_toml bk_toml;

/// Reads a document; NULL where there is no memory for it. Values nest 16 deep at most.
bk_toml *bk_toml_read(const char *bytes, size_t count);
void bk_toml_free(bk_toml *document);
/// What is wrong, and where; NULL where the document can be read.
const char *bk_toml_failure(const bk_toml *document, uint32_t *line, uint32_t *column);
/// The nodes, the root first; none where it cannot be read.
const bk_toml_node *bk_toml_nodes(const bk_toml *document, size_t *count);

#ifdef __cplusplus
}
#endif
