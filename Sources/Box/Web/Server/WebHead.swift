import CMicrohttpd
import System

struct WebHead {
  let method: String
  /// The path, not decoded.
  let path: String
  /// Decoded query parameters; nil if malformed.
  let query: [(name: String, value: String)]?
  let byteCount: Int
  let own: SocketAddress
  /// The network of the browser's address, which counts as one visitor for passwords.
  let network: String

  private let headers: [String: [String]]
  let cookie: String?

  init(_ connection: OpaquePointer, method: String, path: String, _ visitor: Visitor.Connection) {
    (self.method, self.path) = (method, path)
    (own, network) = (visitor.own, visitor.network)
    byteCount = bk_http_head_size(connection)
    let pairs = Self.pairs(connection, areHeaders: true)
    headers = Dictionary(grouping: pairs) { $0.name.lowercased() }.mapValues { $0.map(\.value) }
    cookie = bk_http_cookie(connection, "bakelite").map { String(cString: $0) }
    var query: [(name: String, value: String)]? = []
    for (name, value) in Self.pairs(connection, areHeaders: false) {
      guard let name = Self.decoded(name), let value = Self.decoded(value) else {
        query = nil
        break
      }
      query?.append((name, value))
    }
    self.query = query
  }

  /// A header by its name in lower case; nil if missing or repeated.
  subscript(name: String) -> String? {
    guard let values = headers[name], values.count == 1 else { return nil }
    return values[0]
  }

  func has(_ name: String) -> Bool { headers[name] != nil }

  private final class Pairs {
    var list: [(name: String, value: String)] = []
  }

  private static func pairs(_ connection: OpaquePointer, areHeaders: Bool) -> [(name: String, value: String)] {
    let pairs = Pairs()
    bk_http_each(
      connection, areHeaders,
      { context, _, name, value in
        guard let context, let name else { return bk_http_result(true) }
        let pairs = Unmanaged<Pairs>.fromOpaque(context).takeUnretainedValue()
        pairs.list.append((String(cString: name), value.map { String(cString: $0) } ?? ""))
        return bk_http_result(true)
      }, Unmanaged.passUnretained(pairs).toOpaque())
    return pairs.list
  }

  /// Decodes percent-encoding (RFC 3986, section 2.1); nil if malformed or not UTF-8.
  static func decoded(_ text: String) -> String? {
    var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
