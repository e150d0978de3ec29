import Units

/// What the headers of a FLAC file tell of its length and its places.
public struct FlacFacts: Hashable, Sendable {
  /// A place of the seek table (RFC 9639, 8.5).
  public struct Point: Hashable, Sendable {
    /// The number of the first sample of the frame that begins there.
    public let firstFrame: Int
    /// Bytes from the first frame's first byte on.
    public let byte: Int
  }

  /// Where the first frame begins, counted from the file's first byte.
  public let firstByte: Int
  /// Samples of a channel in all; nil where that is not told.
  public let sampleCount: Int?
  /// Samples of a channel in a second.
  public let rate: SampleRate
  /// The places of the seek table, rising in both; empty where there is none.
  public let points: [Point]

  /// So many places are kept. Of a longer table every other one is, or every fourth, and so on.
  static let mostPoints = 2_048
}

/// Reads a seek table while its bytes come.
struct FlacSeekTable {
  private(set) var points: [FlacFacts.Point] = []
  /// One of so many is kept.
  private var step = 1
  private var count = 0

  static let pointByteCount = 18

  /// Takes the point at the beginning of `bytes`; one that fills a free place, or does not rise, is passed over.
  mutating func take(_ bytes: Span<UInt8>) {
    var place = 0
    guard let sampleHigh = bytes.number(4, at: &place), let sampleLow = bytes.number(4, at: &place),
      let byteHigh = bytes.number(4, at: &place), let byteLow = bytes.number(4, at: &place)
    else { return }
    // Samples are numbered with 36 bits, and no file has 2^62 bytes.
    guard sampleHigh < 1 << 4, byteHigh < 1 << 30 else { return }
    let point = FlacFacts.Point(firstFrame: sampleHigh << 32 | sampleLow, byte: byteHigh << 32 | byteLow)
    if let last = points.last, point.firstFrame <= last.firstFrame || point.byte <= last.byte { return }
    defer { count += 1 }
    guard count % step == 0 else { return }
    if points.count == FlacFacts.mostPoints {
      points = points.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      step *= 2
      guard count % step == 0 else { return }
    }
    points.append(point)
  }
}
