/// A file on a web server, sent whole or as the requested range (RFC 9110, 14).
public struct FileServer: Sendable {
  /// The content of the file.
  public var bytes: [UInt8]
  /// The entity tag; nil for none.
  public var etag: String? = "\"1\""
  /// True if the server supports range requests.
  public var supportsRanges = true
  /// The media type.
  public var type = "audio/mpeg"
  /// Further headers.
  public var headers: [String] = []

  /// Creates a file.
  public init(_ bytes: [UInt8], type: String = "audio/mpeg") { (self.bytes, self.type) = (bytes, type) }

  /// Returns the actions for a request. The body ends after `most` bytes, then the connection is closed.
  public func actions(for visit: ScriptedStation.Request, most: Int = .max) -> [StationAction] {
    let told = ["Content-Type: \(type)"] + (etag.map { ["ETag: \($0)"] } ?? []) + headers
    guard supportsRanges, let part = requestedRange(visit.header("Range")),
      visit.header("If-Range").map({ $0 == etag }) ?? true
    else {
      let ranges = supportsRanges ? ["Accept-Ranges: bytes"] : []
      return [
        .head("200 OK", told + ranges + ["Content-Length: \(bytes.count)"]), .send(Array(bytes.prefix(most))),
      ]
    }
    guard part.lowerBound < bytes.count else {
      return [.head("416 Range Not Satisfiable", ["Content-Range: bytes */\(bytes.count)", "Content-Length: 0"])]
    }
    let range = part.clamped(to: 0..<bytes.count)
    let place = "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
    return [
      .head("206 Partial Content", told + [place, "Content-Length: \(range.count)"]),
      .send(Array(bytes[range].prefix(most))),
    ]
  }

  /// Parses "bytes=3-9", "bytes=3-" or "bytes=-7".
  private func requestedRange(_ text: String?) -> Range<Int>? {
    guard let text, text.hasPrefix("bytes=") else { return nil }
    let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    if ends.count == 2, ends[0].isEmpty, let count = Int(ends[1]) { return max(0, bytes.count - count)..<bytes.count }
    guard ends.count == 2, let first = Int(ends[0]) else { return nil }
    return first..<max(first, Int(ends[1]).map { $0 + 1 } ?? .max)
  }
}

extension ScriptedStation {
  /// Creates a station that serves one file.
  public convenience init(_ file: FileServer) throws {
    try self.init(tail: { file.actions(for: $0) }, { file.actions(for: $0) })
  }

  /// The first byte that each visitor requested; nil for a request without a range.
  public var firstBytes: [Int?] {
    visits.map { visit in
      visit.header("Range").flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) }
    }
  }
}
