import Units

/// What to fetch, and how to ask for it.
public struct HttpRequest: Sendable {
  /// An absolute address as `WebAddress` reads it; a name and password in it are used and never shown.
  public var url: StationAddress

  /// The `User-Agent`; empty sends none.
  public var userAgent: String

  /// The listener's own headers, each "Name: value"; a redirect to another host does not get them.
  public var headers: [String] = []

  /// Headers that say what this radio is able to do, each "Name: value"; every redirect gets them.
  var radioHeaders: [String] = []

  /// Pairs "key=value" in plain text, percent-encoded and added to the address's query.
  public var query: [String] = []

  /// For the host of `url` only; those in `url` itself come before them.
  public var credentials: Credentials?

  /// Whether to ask for ICY titles within the stream (`Icy-MetaData: 1`).
  public var wantsIcyMetadata = false

  /// The first byte wanted, counted from 0 (RFC 9110, 14.2); nil asks for the whole.
  public var firstByte: Int64?

  /// How many bytes are wanted from `firstByte` on, 1 or more; nil asks for all that follow.
  public var byteCount: Int64?

  /// How many of the last bytes are wanted, where `firstByte` is nil; nil asks for the whole.
  var lastByteCount: Int64?

  /// What the kernel may receive ahead of the reader, in bytes (`SO_RCVBUF`); nil leaves that to the kernel.
  public var receiveBuffer: Int?

  /// The entity tag or date for which `firstByte` holds (RFC 9110, 13.1.5).
  public var ifRange: String?

  /// The entity tag of what is there already: an answer of that tag comes as a status of 304 without a body (RFC 9110,
  /// 13.1.2).
  var knownTag: String?

  /// The same by its date, where it has no tag (RFC 9110, 13.1.3).
  var knownDate: String?

  /// Whether the body may come gzipped; it is unpacked on the way, to at most twenty times its size.
  public var acceptsGzip = false

  /// How old a connection may be that serves the request and stays open behind it; nil: it has one of its own, which is
  /// closed then.
  var sharedConnectionAge: Duration?

  /// How long finding the host, connecting and the TLS handshake may last together.
  public var connectTimeout = Duration(seconds: 10)

  /// Whether `url` may be a `file://` address; a redirect never may.
  public var allowsLocalFile = false

  /// Where it may lead; a redirect never may lead everywhere.
  public var reach = Reach.anywhere

  /// The domain within which its redirects have to stay, by https; nil: they lead as far as `reach` allows.
  public var redirectDomain: String?

  /// A plain request for `url`.
  public init(url: StationAddress, userAgent: String = "") {
    self.url = url
    self.userAgent = userAgent
  }

  /// The same for an address that somebody typed.
  public init(url: String, userAgent: String = "") { self.init(url: StationAddress(url), userAgent: userAgent) }
}

extension HttpRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The address without its secrets.
  public var description: String { url.description }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// No parts: headers and queries may hold secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HttpRequest {
  /// Every header line to send beyond curl's own.
  ///
  /// - Throws: `badHeader` where one is not "Name: value" on one line.
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
    return lines
  }
}
