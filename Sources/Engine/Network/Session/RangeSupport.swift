/// A server's support for requests of a part (RFC 9110, 14).
enum RangeSupport {
  case parts
  /// The server does not support ranges.
  case whole
}
