import Units

/// Measures the time with arriving bytes, but without recognised content (R1.12). The data timeout covers silence.
struct RecognitionTimer {
  /// Time after which an unrecognised response counts as not audio.
  static let patience = Duration(milliseconds: 10_000)
  /// Minimum bytes of a list, a feed or a tag to count as recognised; fewer bytes must not keep the radio waiting.
  static let minTextByteCount = 4_096
  /// Maximum counted time between two bytes; a longer pause is silence.
  static let maxPause = Duration(milliseconds: 5_000)

  /// Arrival of the last unrecognised bytes; nil after recognised bytes or a pause of the server.
  private var last: MonotonicTime?
  private var doubtful = Duration.zero
  private var packetByteCount = 0
  private var textByteCount = 0

  var isSpent: Bool { doubtful >= Self.patience }

  /// Both counts are totals of the recognised bytes.
  mutating func record(packetByteCount packets: Int, textByteCount text: Int, at now: MonotonicTime) {
    if packets != packetByteCount || text - textByteCount >= Self.minTextByteCount {
      (packetByteCount, textByteCount) = (packets, text)
      return restart()
    }
    if let last { doubtful = doubtful + min(now - last, Self.maxPause) }
    last = now
  }

  mutating func pause() { last = nil }

  mutating func restart() { (last, doubtful) = (nil, .zero) }
}
