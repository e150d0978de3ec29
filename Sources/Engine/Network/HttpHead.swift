import CCurl
import Units

/// The head of an answer: its status, and the headers that a radio reads (RFC 9110).
///
/// Text is UTF-8 or else Latin-1, without control characters, at most 1,024 bytes of each value but an address. Of a
/// header that is there twice the first counts.
public struct HttpHead: Equatable, Sendable {
  /// The status code; 200 too for a file and for HTTP/0.9, which have none.
  public var status: Int

  /// Where the redirects led, without name and password.
  public var effectiveURL: StationAddress

  /// `Content-Type`.
  public var contentType: String?

  /// Bytes of the body, where told.
  public var contentLength: Int64?

  /// `Accept-Ranges: bytes`.
  public var acceptsRanges = false

  /// The first byte of a partial answer (`Content-Range`).
  public var contentRangeStart: Int64?

  /// The length of the whole, told by `Content-Range`.
  public var contentRangeTotal: Int64?

  /// Seconds to wait before the next try (`Retry-After`); a date counts from the answer's own `Date`, else from `wall`,
  /// which is now in seconds since 1970.
  public func retryAfter(at wall: Double) -> Int? {
    retrySeconds ?? retryDate.map { Int(max(0, $0 - (date ?? Int64(wall)))) }
  }

  /// Whether the body comes in chunks, of which the last one tells that it is the last (`Transfer-Encoding: chunked`).
  var isChunked = false

  /// `Content-Encoding`.
  var contentEncoding: String?

  /// `Location`, as told.
  public var location: StationAddress?

  /// Whether the answer is SHOUTcast's or Icecast's: an `ICY` status line, or any `icy-` header.
  public var isIcy = false

  /// Whether a media server says how it sends an item that it was asked for (`transferMode.dlna.org`, DLNA guidelines,
  /// 7.4.49): Music Assistant does, and no station. What comes has an end, whatever else the headers say.
  var isItem = false

  /// The ICY headers.
  public var icy = IcyHeaders()

  /// `ETag`, for `HttpRequest.ifRange`.
  public var etag: String?

  /// `Last-Modified`, for `HttpRequest.ifRange` where there is no tag.
  public var lastModified: String?

  /// `Server`.
  public var server: String?

  /// A head that tells nothing more.
  init(status: Int, effectiveURL: StationAddress) {
    self.status = status
    self.effectiveURL = effectiveURL
  }

  /// Whether the body is coded for the way; then its length is not that of what comes (RFC 9112, 6.3).
  private var hasTransferCoding = false
  /// Whether that is more than chunks.
  private var isRecoded = false
  private var retrySeconds: Int?
  private var retryDate: Int64?
  private var date: Int64?

  /// Whether the body would be coded in a way that was not asked for.
  var isCompressed: Bool {
    let codings = contentEncoding?.lowercased().split { $0 == "," || $0 == " " } ?? []
    return codings.contains { ["gzip", "x-gzip", "deflate", "br", "compress", "x-compress", "zstd"].contains($0) }
  }

  /// Whether the body is packed by gzip once, and by nothing else.
  var isGzipped: Bool { coding == "gzip" || coding == "x-gzip" }

  /// Whether it is packed at most once, so that what unpacks it gives something out for what it takes.
  var isUnpackable: Bool { !isRecoded && (!isCompressed || isGzipped) }

  /// The coding of the body, whatever it is; nil for none.
  var coding: String? {
    contentEncoding.map { $0.lowercased() }.flatMap { $0.isEmpty || $0 == "identity" ? nil : $0 }
  }

  /// Takes one header; `name` is in small letters.
  mutating func take(_ name: String, _ value: String) {
    switch name {
    case "content-type": contentType = contentType ?? value
    case "content-length": if !hasTransferCoding { contentLength = contentLength ?? Self.byteCount(value) }
    case "accept-ranges": acceptsRanges = acceptsRanges || value.lowercased() == "bytes"
    case "content-range": takeRange(value)
    case "transfer-encoding": takeTransferCoding(value)
    case "date": date = date ?? Self.moment(value)
    case "retry-after": if retrySeconds == nil, retryDate == nil { takeRetry(value) }
    case "content-encoding": contentEncoding = contentEncoding.map { $0 + ", " + value } ?? value
    case "location": location = location ?? StationAddress(value)
    case "etag": etag = etag ?? value
    case "last-modified": lastModified = lastModified ?? value
    case "server": server = server ?? value
    case "transfermode.dlna.org": isItem = true
    default: if name.hasPrefix("icy-") { takeIcy(name, value) }
    }
  }

  private mutating func takeTransferCoding(_ value: String) {
    hasTransferCoding = true
    contentLength = nil
    let codings = value.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
    isChunked = isChunked || codings.contains("chunked")
    isRecoded = isRecoded || codings.contains { $0 != "chunked" && $0 != "identity" }
  }

  private mutating func takeRetry(_ value: String) {
    retrySeconds = Self.count(value).map { Int($0) }
    if retrySeconds == nil { retryDate = Self.moment(value) }
  }

  private mutating func takeIcy(_ name: String, _ value: String) {
    isIcy = true
    icy.take(name.dropFirst(4), value)
  }

  /// "bytes 0-99/1000", "bytes 0-99/*" or "bytes */1000" (RFC 9110, 14.4).
  private mutating func takeRange(_ value: String) {
    let parts = value.lowercased().split { " -/".contains($0) }
    guard parts.first == "bytes", parts.count >= 3 else { return }
    contentRangeStart = Self.byteCount(parts[1])
    contentRangeTotal = parts.last.flatMap { Self.byteCount($0) }
  }

  /// Seconds since 1970 of a date in any form of RFC 9110, 5.6.7 (`curl_getdate(3)`).
  private static func moment(_ text: String) -> Int64? {
    let seconds = curl_getdate(text, nil)
    return seconds < 0 ? nil : Int64(seconds)
  }

  /// A place or a length in bytes; nil beyond what any file has, so that sums of a few of them are exact.
  private static func byteCount(_ text: some StringProtocol) -> Int64? {
    count(text).flatMap { $0 <= longestBody ? $0 : nil }
  }

  private static let longestBody: Int64 = 1 << 53

  /// Digits only, so neither signs nor hexadecimals; nil where there are none or too many.
  static func count(_ text: some StringProtocol) -> Int64? {
    text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ? Int64(text) : nil
  }
}
