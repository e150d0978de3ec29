/// A client's request (RFC 9112 § 3), as far as a station uses it.
struct HTTPRequest {
  enum Method { case get, head, other }

  var method: Method
  /// The percent-decoded path without the query; starts with "/".
  var path: String
  /// The `Host` header, if it is valid in a URL.
  var host: String?
  /// True if `Icy-MetaData: 1` was sent.
  var wantsMetadata = false

  /// Parses a complete head including its empty line; nil if it is no HTTP/1.x request.
  init?(head bytes: some Collection<UInt8>) {
    let lines = bytes.split(separator: 0x0A).map { $0.last == 0x0D ? $0.dropLast() : $0 }
    guard let first = lines.first, first.allSatisfy({ $0 < 0x7F }) else { return nil }
    let words = String(decoding: first, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, ["HTTP/1.0", "HTTP/1.1"].contains(words[2]), let path = Self.path(of: words[1]) else {
      return nil
    }
    self.path = path
    method = words[0] == "GET" ? .get : words[0] == "HEAD" ? .head : .other
    for line in lines.dropFirst() where !line.isEmpty {
      guard let colon = line.firstIndex(of: 0x3A) else { return nil }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      let text = String(decoding: line[line.index(after: colon)...], as: UTF8.self)
      let value = text.split { $0 == " " || $0 == "\t" }.first ?? ""
      if name == "icy-metadata" { wantsMetadata = value == "1" }
      if name == "host", !value.isEmpty, value.utf8.count <= 255, value.utf8.allSatisfy(Self.isHostByte) {
        host = String(value)
      }
    }
  }

  /// Returns the decoded path of a request target in origin or absolute form.
  private static func path(of target: Substring) -> String? {
    var target = target
    if target.lowercased().hasPrefix("http://") {
      let rest = target.dropFirst(7)
      target = rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
    }
    guard target.hasPrefix("/") else { return nil }
    var decoded: [UInt8] = []
    var rest = target.utf8.prefix { $0 != 0x3F && $0 != 0x23 }
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        decoded.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, !digits.contains(0x2B), let value = UInt8(String(Substring(digits)), radix: 16) else {
        return nil
      }
      decoded.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: decoded, as: UTF8.self)
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3A, 0x41...0x5B, 0x5D, 0x61...0x7A, 0x2D, 0x2E: true
    default: false
    }
  }
}

/// Collects a request's bytes up to its empty line, at most 8 KiB.
struct HTTPRequestReader {
  enum Outcome {
    case incomplete
    case complete(HTTPRequest)
    case refused(HTTPResponse)
  }

  static let limit = 8192
  private var bytes: [UInt8] = []

  /// Appends received bytes; ignores bytes after the head. Refuses control characters other than tab, CR and LF.
  mutating func append(_ chunk: some Collection<UInt8>) -> Outcome {
    guard chunk.allSatisfy({ $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) else {
      return .refused(.badRequest("The request contains control characters. Send an HTTP request."))
    }
    for byte in chunk {
      guard bytes.count < Self.limit else {
        return .refused(.badRequest("The request is longer than 8 KiB. Send a shorter one."))
      }
      bytes.append(byte)
      if byte == 0x0A, endsHead {
        guard let request = HTTPRequest(head: bytes) else {
          return .refused(.badRequest("The request is not HTTP. Request a mount with GET."))
        }
        return .complete(request)
      }
    }
    return .incomplete
  }

  private var endsHead: Bool {
    bytes.suffix(2).elementsEqual([0x0A, 0x0A]) || bytes.suffix(3).elementsEqual([0x0A, 0x0D, 0x0A])
  }
}
