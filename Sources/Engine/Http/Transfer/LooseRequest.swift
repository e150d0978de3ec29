import Units

/// A request whose response libcurl passes on unparsed: the address of its gopher protocol, which sends any bytes and
/// then receives until the end (RFC 1436, 2). Used once libcurl's HTTP has refused a response's head.
struct LooseRequest {
  /// The address for libcurl, with the request in its path. Contains secrets.
  let url: String

  /// Throws `badHeader` if a line of the request is not valid.
  init(_ hop: TransferRequest) throws(NetworkError) {
    let address = hop.address
    let isUsual = address.port == (address.scheme == "https" ? 443 : 80)
    var lines = [
      "GET \(address.path)\(address.query.map { "?" + $0 } ?? "") HTTP/1.1",
      "Host: \(address.host)\(isUsual ? "" : ":\(address.port)")", "Accept: */*", "Connection: close",
    ]
    if !hop.request.userAgent.isEmpty { lines.append("User-Agent: \(hop.request.userAgent)") }
    if let range = hop.request.range { lines.append("Range: bytes=\(range)") }
    if let credentials = address.credentials ?? hop.request.credentials {
      lines.append("Authorization: Basic \(Self.base64("\(credentials.name):\(credentials.password)"))")
    }
    if let cookies = hop.request.ownCookies { lines.append("Cookie: \(cookies)") }
    lines += try hop.request.headerLines()
    // The protocol itself ends the request with a line end, which completes the empty line.
    let bytes = lines.map { $0 + "\r\n" }.joined()
    let scheme = address.scheme == "https" ? "gophers" : "gopher"
    url = "\(scheme)://\(address.host):\(address.port)/_\(Self.escaped(bytes))"
  }

  private static func escaped(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain = scalar.properties.isAlphabetic && byte < 0x80 || ("0"..."9").contains(scalar)
      result += isPlain ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }

  /// Encodes text (RFC 4648, 4).
  private static func base64(_ text: String) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bytes = Array(text.utf8)
    var result = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      for place in 0..<4 {
        result.append(place <= part.count ? letters[bits >> (18 - 6 * place) & 63] : "=")
      }
    }
    return result
  }
}
