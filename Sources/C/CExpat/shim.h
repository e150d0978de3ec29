#pragma once
#include <expat.h>
#include <stdint.h>

// Expat 2.9 has 64-bit positions on every machine and deprecates the older functions.

/// Returns the byte offset of the current event; -1 if unknown.
static inline int64_t bk_expat_place(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
  return XML_GetCurrentByteIndex64(parser);
#else
  return XML_GetCurrentByteIndex(parser);
#endif
}

/// Returns the line of the current event, from 1.
static inline uint64_t bk_expat_line(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
  return XML_GetCurrentLineNumber64(parser);
#else
  return XML_GetCurrentLineNumber(parser);
#endif
}
