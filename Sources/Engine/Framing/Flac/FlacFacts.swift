import Units

/// Length and seek table of a FLAC file, from its headers.
struct FlacFacts: Hashable, Sendable {
  /// A point of the seek table (RFC 9639, 8.5).
  struct Point: Hashable, Sendable {
    /// Number of the first sample in the frame.
    let firstFrame: Int
    /// Position of the frame in bytes, from the start of the first frame.
    let byte: Int
  }

  /// Position of the first frame in bytes, from the start of the file.
  let firstByte: Int
  /// Total samples per channel; nil if unknown.
  let sampleCount: Int?
  /// Samples per channel and second.
  let rate: SampleRate
  /// Seek points, ascending in both fields; empty if the file has no seek table.
  let points: [Point]

  /// Maximum number of seek points. From a longer table every second point is retained, or every fourth, and so on.
  static let maxPointCount = 2_048
}

struct FlacSeekTable {
  private(set) var points: [FlacFacts.Point] = []
  private var step = 1
  private var count = 0

  static let pointByteCount = 18

  mutating func process(_ bytes: Span<UInt8>) {
    var place = 0
    guard let sampleHigh = bytes.number(4, at: &place), let sampleLow = bytes.number(4, at: &place),
      let byteHigh = bytes.number(4, at: &place), let byteLow = bytes.number(4, at: &place)
    else { return }
    // Sample numbers have 36 bits, unlike those of placeholders, and file positions are below 2^62.
    guard sampleHigh < 1 << 4, byteHigh < 1 << 30 else { return }
    let point = FlacFacts.Point(firstFrame: sampleHigh << 32 | sampleLow, byte: byteHigh << 32 | byteLow)
    if let last = points.last, point.firstFrame <= last.firstFrame || point.byte <= last.byte { return }
    defer { count += 1 }
    guard count % step == 0 else { return }
    if points.count == FlacFacts.maxPointCount {
      points = points.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      step *= 2
      guard count % step == 0 else { return }
    }
    points.append(point)
  }
}
