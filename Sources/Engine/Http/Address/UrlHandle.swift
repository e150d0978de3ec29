import CCurl
import Glibc
import Units

/// An address parsed by libcurl (`curl_url(3)`).
struct UrlHandle: ~Copyable {
  private let raw: OpaquePointer

  init() throws(NetworkError) {
    guard let raw = curl_url() else { throw .outOfMemory }
    self.raw = raw
  }

  deinit { curl_url_cleanup(raw) }

  /// Replaces one part; a relative URL is resolved against the present URL. Throws `badURL` or `outOfMemory`.
  func set(_ part: CURLUPart, to value: String?, flags: Int32 = 0) throws(NetworkError) {
    let code =
      if let value { curl_url_set(raw, part, value, UInt32(flags)) } else { curl_url_set(raw, part, nil, 0) }
    switch code {
    case CURLUE_OK: return
    case CURLUE_OUT_OF_MEMORY: throw .outOfMemory
    default: throw .badURL
    }
  }

  func get(_ part: CURLUPart, flags: Int32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(raw, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }

  /// Converts the host to lower-case ASCII (RFC 5891). libcurl would read other hosts in the encoding of the locale.
  func normaliseHost() throws(NetworkError) {
    guard let host = get(CURLUPART_HOST) else { return }
    if host.utf8.allSatisfy({ $0 < 0x80 }) { return try set(CURLUPART_HOST, to: host.lowercased()) }
    // libcurl 7.88 leaks memory if it cannot encode a host, so surely invalid hosts are refused before.
    guard host.utf8.count <= 255, !host.unicodeScalars.contains(where: \.isUnshowable) else { throw .badURL }
    guard let utf8 = newlocale(Int32(LC_CTYPE_MASK), "C.UTF-8", nil) else { throw .badURL }
    defer { freelocale(utf8) }
    let before = uselocale(utf8)
    defer { uselocale(before) }
    guard let ascii = get(CURLUPART_HOST, flags: CURLU_PUNYCODE) else { throw .badURL }
    try set(CURLUPART_HOST, to: ascii)
  }
}
