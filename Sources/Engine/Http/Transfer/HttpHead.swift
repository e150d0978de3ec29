import CCurl
import Units

/// The head of a response: its status and the headers used by the radio (RFC 9110).
///
/// Text is UTF-8, else Latin-1, without control characters. Values other than addresses are cut at 1,024 bytes. Of most
/// repeated headers the first counts.
public struct HttpHead: Equatable, Sendable {
  /// The status code; also 200 for a file and for HTTP/0.9, which have no status.
  public var status: Int

  /// The address after redirects, without name and password.
  public var effectiveURL: StationAddress

  /// `Content-Type`.
  public var contentType: String?

  /// Length of the body in bytes, if known.
  public var contentLength: Int64?

  /// True for `Accept-Ranges: bytes`.
  public var acceptsRanges = false

  /// First byte of a partial response (`Content-Range`).
  public var contentRangeStart: Int64?

  /// Length of the whole file in bytes, from `Content-Range`.
  public var contentRangeTotal: Int64?

  /// Returns the seconds to wait before the next try (`Retry-After`).
  ///
  /// A date counts from the response's own `Date`, else from `wall`, the current time in seconds since 1970.
  public func retryAfter(at wall: Double) -> Int? {
    retrySeconds ?? retryDate.map { Int(max(0, $0 - (date ?? Int64(wall)))) }
  }

  /// True if the body is chunked, so that its end is marked (`Transfer-Encoding: chunked`).
  package var isChunked = false

  var contentEncoding: String?

  /// `Location`, as sent by the server.
  public var location: StationAddress?

  /// True for SHOUTcast and Icecast: an `ICY` status line, or any `icy-` header.
  public var isIcy = false

  /// True for an item from a media server (`transferMode.dlna.org`, DLNA guidelines, 7.4.49), which always has an end.
  /// Music Assistant sends this header, stations do not.
  package var isItem = false

  /// The ICY headers.
  public var icy = IcyHeaders()

  /// `ETag`, for `HttpRequest.ifRange`.
  public var etag: String?

  /// `Last-Modified`, for `HttpRequest.ifRange` if there is no tag.
  public var lastModified: String?

  /// `Server`.
  public var server: String?

  init(status: Int, effectiveURL: StationAddress) {
    self.status = status
    self.effectiveURL = effectiveURL
  }

  /// True if the body has a transfer coding. `Content-Length` is then invalid (RFC 9112, 6.3).
  private var hasTransferCoding = false
  private var isRecoded = false
  /// True if two lengths differ; libcurl would use the last.
  private(set) var hasOtherLength = false
  private var lengthText: String?
  private var lifetime = CacheLifetime()
  private var retrySeconds: Int?
  private var retryDate: Int64?
  private(set) var date: Int64?

  var isCompressed: Bool {
    let codings = contentEncoding?.lowercased().split { $0 == "," || $0 == " " } ?? []
    return codings.contains { ["gzip", "x-gzip", "deflate", "br", "compress", "x-compress", "zstd"].contains($0) }
  }

  var isGzipped: Bool { coding == "gzip" || coding == "x-gzip" }

  /// True if the body is compressed at most once. Nested compression may keep libcurl busy without any output.
  var isUnpackable: Bool { !isRecoded && (!isCompressed || isGzipped) }

  package var coding: String? {
    contentEncoding.map { $0.lowercased() }.flatMap { $0.isEmpty || $0 == "identity" ? nil : $0 }
  }

  /// Time for which this redirect may be reused.
  var redirectLifetime: Duration { lifetime.redirectDuration(status: status, date: date) }

  /// Stores one header. `name`: in lower case.
  mutating func store(_ name: String, _ value: String) {
    switch name {
    case "content-type": contentType = contentType ?? value
    case "content-length": if !hasTransferCoding { storeLength(value) }
    case "accept-ranges": acceptsRanges = acceptsRanges || value.lowercased() == "bytes"
    case "content-range": storeRange(value)
    case "transfer-encoding": storeTransferCoding(value)
    case "date": date = date ?? Self.moment(value)
    case "cache-control": lifetime.store(cacheControl: value)
    case "expires": lifetime.store(expires: Self.moment(value))
    case "retry-after": if retrySeconds == nil, retryDate == nil { storeRetry(value) }
    case "content-encoding": storeContentCoding(value)
    case "location": location = location ?? StationAddress(value)
    case "etag": etag = etag ?? value
    case "last-modified": lastModified = lastModified ?? value
    case "server": server = server ?? value
    case "transfermode.dlna.org": isItem = true
    default: if name.hasPrefix("icy-") { storeIcy(name, value) }
    }
  }

  /// Ignores all lengths if two differ (RFC 9112, 6.3).
  private mutating func storeLength(_ value: String) {
    hasOtherLength = hasOtherLength || lengthText.map { $0 != value } ?? false
    lengthText = value
    contentLength = hasOtherLength ? nil : Self.byteCount(value)
  }

  private mutating func storeTransferCoding(_ value: String) {
    hasTransferCoding = true
    contentLength = nil
    let codings = value.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
    isChunked = isChunked || codings.contains("chunked")
    isRecoded = isRecoded || codings.contains { $0 != "chunked" && $0 != "identity" }
  }

  /// Joins the codings of repeated headers. A longer text than a single value may have cannot be unpacked.
  private mutating func storeContentCoding(_ value: String) {
    let joined = contentEncoding.map { $0 + ", " + value } ?? value
    if joined.utf8.count > Self.maxCodingByteCount { isRecoded = true } else { contentEncoding = joined }
  }

  private static let maxCodingByteCount = 2_048

  private mutating func storeRetry(_ value: String) {
    retrySeconds = Self.count(value).map { Int($0) }
    if retrySeconds == nil { retryDate = Self.moment(value) }
  }

  private mutating func storeIcy(_ name: String, _ value: String) {
    isIcy = true
    icy.store(name.dropFirst(4), value)
  }

  /// Parses "bytes 0-99/1000", "bytes 0-99/*" or "bytes */1000" (RFC 9110, 14.4).
  private mutating func storeRange(_ value: String) {
    let parts = value.lowercased().split { " -/".contains($0) }
    guard parts.first == "bytes", parts.count >= 3 else { return }
    contentRangeStart = Self.byteCount(parts[1])
    contentRangeTotal = parts.last.flatMap { Self.byteCount($0) }
  }

  /// Returns the seconds since 1970 of a date in any form of RFC 9110, 5.6.7 (`curl_getdate(3)`).
  private static func moment(_ text: String) -> Int64? {
    let seconds = curl_getdate(text, nil)
    return seconds < 0 ? nil : Int64(seconds)
  }

  /// Parses an offset or a length in bytes. Nil above `maxBodyByteCount`, so that sums of a few values cannot overflow.
  private static func byteCount(_ text: some StringProtocol) -> Int64? {
    count(text).flatMap { $0 <= maxBodyByteCount ? $0 : nil }
  }

  private static let maxBodyByteCount: Int64 = 1 << 53

  /// Parses decimal digits, without a sign; nil if empty, malformed or too large.
  static func count(_ text: some StringProtocol) -> Int64? {
    text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ? Int64(text) : nil
  }
}
