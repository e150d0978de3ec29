import Units

/// For how long bytes have come of an answer in which nothing is recognised (R1.12).
///
/// Only time counts in which bytes come, from the first one on that is not recognised; where nothing comes, the data
/// timeout decides. A value without a clock: each look is told the moment.
struct SenseClock {
  /// An answer of which nothing is recognised for so long is no audio.
  static let patience = Duration(milliseconds: 10_000)
  /// So much of a list, a feed or a tag counts as recognised. A server that sends less within `patience` is given up,
  /// since a byte now and then would else keep the radio waiting for ever.
  static let leastText = 4_096
  /// Of a pause between two bytes no more than this counts: a longer one is silence.
  static let mostPause = Duration(milliseconds: 5_000)

  /// When bytes came last of which nothing was recognised; nil where something was, or the server had to wait.
  private var last: MonotonicTime?
  private var doubtful = Duration.zero
  private var packetByteCount = 0
  private var textByteCount = 0

  /// Whether the answer is given up.
  var isSpent: Bool { doubtful >= Self.patience }

  /// Notes that bytes came at a moment, and how many bytes of packets and of text were recognised in all so far.
  mutating func note(packetByteCount packets: Int, textByteCount text: Int, at now: MonotonicTime) {
    if packets != packetByteCount || text - textByteCount >= Self.leastText {
      (packetByteCount, textByteCount) = (packets, text)
      return restart()
    }
    if let last { doubtful = doubtful + min(now - last, Self.mostPause) }
    last = now
  }

  /// Notes that the server has to wait.
  mutating func pause() { last = nil }

  /// Notes that what came need not be recognised.
  mutating func restart() { (last, doubtful) = (nil, .zero) }
}
