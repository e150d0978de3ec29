import CCurl
import Glibc
import Units

/// An address taken apart by libcurl (`curl_url(3)`).
struct UrlHandle: ~Copyable {
  private let raw: OpaquePointer

  /// An empty address.
  init() throws(NetworkError) {
    guard let raw = curl_url() else { throw .outOfMemory }
    self.raw = raw
  }

  deinit { curl_url_cleanup(raw) }

  /// Replaces one part; a whole address given as a relative one is resolved against what is there.
  ///
  /// - Throws: `badURL` where libcurl refuses it.
  func set(_ part: CURLUPart, to value: String?, flags: Int32 = 0) throws(NetworkError) {
    let code =
      if let value { curl_url_set(raw, part, value, UInt32(flags)) } else { curl_url_set(raw, part, nil, 0) }
    switch code {
    case CURLUE_OK: return
    case CURLUE_OUT_OF_MEMORY: throw .outOfMemory
    default: throw .badURL
    }
  }

  /// One part; nil where there is none, or where it holds what the flags forbid.
  func get(_ part: CURLUPart, flags: Int32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(raw, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }

  /// Writes the host in small ASCII letters (RFC 5891); libcurl reads others in the locale's encoding, hence the
  /// detour.
  func normaliseHost() throws(NetworkError) {
    guard let host = get(CURLUPART_HOST) else { return }
    if host.utf8.allSatisfy({ $0 < 0x80 }) { return try set(CURLUPART_HOST, to: host.lowercased()) }
    // Where it cannot be encoded libcurl 7.88 loses the memory of it, so what is surely none is not tried.
    guard host.utf8.count <= 255, !host.unicodeScalars.contains(where: \.isUnshowable) else { throw .badURL }
    guard let utf8 = newlocale(Int32(LC_CTYPE_MASK), "C.UTF-8", nil) else { throw .badURL }
    defer { freelocale(utf8) }
    let before = uselocale(utf8)
    defer { uselocale(before) }
    guard let ascii = get(CURLUPART_HOST, flags: CURLU_PUNYCODE) else { throw .badURL }
    try set(CURLUPART_HOST, to: ascii)
  }
}
