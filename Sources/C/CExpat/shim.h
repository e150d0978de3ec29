#pragma once
#include <expat.h>
#include <stdint.h>

// Expat 2.9 tells places in 64 bits on every machine, and calls the older functions deprecated.

/// How many bytes stand before what was read last; -1 where that is not known.
static inline int64_t bk_expat_place(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
  return XML_GetCurrentByteIndex64(parser);
#else
  return XML_GetCurrentByteIndex(parser);
#endif
}

/// The line of what was read last, from 1 on.
static inline uint64_t bk_expat_line(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
  return XML_GetCurrentLineNumber64(parser);
#else
  return XML_GetCurrentLineNumber(parser);
#endif
}
