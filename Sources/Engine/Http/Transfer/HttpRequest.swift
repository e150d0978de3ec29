import Units

/// The address and the options of a request.
public struct HttpRequest: Sendable {
  /// The absolute address, as accepted by `WebAddress`. A name and password in the address are used but never shown.
  public var url: StationAddress

  /// The `User-Agent`; not sent if empty.
  public var userAgent: String

  /// The listener's own headers, each "Name: value". Not sent to another host after a redirect.
  public var headers: [String] = []

  /// Headers that announce the radio's capabilities, each "Name: value". Sent after every redirect.
  package var radioHeaders: [String] = []

  /// Pairs "key=value" in plain text, percent-encoded and added to the query of the address.
  public var query: [String] = []

  /// Credentials for the host of `url` only. Credentials in `url` replace these.
  public var credentials: Credentials?

  /// True to request ICY titles in the stream (`Icy-MetaData: 1`).
  public var wantsIcyMetadata = false

  /// The first requested byte, counted from 0 (RFC 9110, 14.2); nil for the whole body.
  public var firstByte: Int64?

  /// Number of bytes from `firstByte` on, 1 or more; nil for all that follow.
  public var byteCount: Int64?

  /// Number of bytes at the end, if `firstByte` is nil; nil for the whole body.
  package var lastByteCount: Int64?

  /// The kernel's receive buffer in bytes (`SO_RCVBUF`); nil for the kernel's default.
  public var receiveBuffer: Int?

  /// The entity tag or date for which `firstByte` is valid (RFC 9110, 13.1.5).
  public var ifRange: String?

  /// Entity tag of the cached copy. If still valid, the response has status 304 and no body (RFC 9110, 13.1.2).
  package var knownTag: String?

  /// Date of the cached copy, used without a tag (RFC 9110, 13.1.3).
  package var knownDate: String?

  /// True if the body may be gzipped. The unpacked body is limited to twenty times the packed size.
  public var acceptsGzip = false

  /// Number of the programme of the request, which shares the programme's cookies (`HttpEngine.forgetCookies`); nil for
  /// a request without cookies.
  package var programme: Int?

  var sharesCookies: Bool { programme != nil }

  /// Maximum age of a shared connection, which stays open afterwards. Nil for a separate connection, closed afterwards.
  package var sharedConnectionAge: Duration?

  /// Maximum time for host lookup, connecting and TLS handshake together.
  public var connectTimeout = Duration(seconds: 10)

  /// True if `url` may be a `file://` address. Redirects to files are always refused.
  public var allowsLocalFile = false

  /// Permitted target addresses; always restricted after a redirect.
  public var reach = AddressPolicy.anywhere

  /// Domain required for redirects, with https; nil if only `reach` limits them.
  public var redirectDomain: String?

  /// Creates a request with default options.
  public init(url: StationAddress, userAgent: String = "") {
    self.url = url
    self.userAgent = userAgent
  }

  /// Creates a request for an address in text form.
  public init(url: String, userAgent: String = "") { self.init(url: StationAddress(url), userAgent: userAgent) }
}

extension HttpRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The address without secrets.
  public var description: String { url.description }

  /// Equal to `description`.
  public var debugDescription: String { description }

  /// Empty, since headers and queries may contain secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HttpRequest {
  /// Replaces the address by the target of an earlier redirect, with its secrets and limits.
  package mutating func follow(_ target: HttpRequest) {
    (url, query, reach) = (target.url, target.query, target.reach)
    (credentials, headers) = (target.credentials, target.headers)
  }

  /// Returns all header lines that libcurl does not add itself. Throws `badHeader` if a line is not "Name: value".
  func headerLines() throws(NetworkError) -> [String] {
    var lines = headers + radioHeaders
    if wantsIcyMetadata { lines.append("Icy-MetaData: 1") }
    if let ifRange { lines.append("If-Range: \(ifRange)") }
    if let knownTag {
      lines.append("If-None-Match: \(knownTag)")
    } else if let knownDate {
      lines.append("If-Modified-Since: \(knownDate)")
    }
    for line in lines {
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .badHeader }
      guard colon > line.startIndex, line[..<colon].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
        line.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) })
      else { throw .badHeader }
    }
    // libcurl sends these together with the shared cookies (`ownCookies`).
    if sharesCookies { lines.removeAll { Self.isCookie($0) } }
    return lines
  }

  /// The requested bytes in the form of `Range`; nil for the whole body.
  var range: String? {
    if let firstByte = firstByte.map({ max(0, $0) }) {
      let last = byteCount.map { "\(firstByte.addingReportingOverflow(max(1, $0)).partialValue - 1)" } ?? ""
      return "\(firstByte)-\(last)"
    }
    return lastByteCount.map { "-\(max(1, $0))" }
  }

  /// The listener's own cookies: "name=value; name=value"; nil without own cookies.
  var ownCookies: String? {
    let values = headers.filter { Self.isCookie($0) }.map { String($0.dropFirst("cookie:".count).drop { $0 == " " }) }
    return values.isEmpty || !sharesCookies ? nil : values.joined(separator: "; ")
  }

  private static func isCookie(_ line: String) -> Bool { line.prefix("cookie:".count).lowercased() == "cookie:" }
}
