import Units

/// Finds packets that repeat (F3). Decode thread only.
///
/// Remembers the hashes since a first packet, and looks for the first `headCount` hashes again. Their distance is the
/// period of the loop.
struct PacketLoop {
  /// Number of hashes, for 30 s of packets of 20 ms. A longer loop is not found.
  static let capacity = 1_500
  /// Number of equal packets that begin a repetition.
  static let headCount = 8
  /// Number of 64-bit words that the loop needs.
  static let wordCount = capacity + headCount

  private let hashes: UnsafeMutablePointer<UInt64>
  /// The last `headCount` hashes.
  private let recent: UnsafeMutablePointer<UInt64>
  /// Number of packets since the first.
  private var count = 0
  private var span = StreamTime.zero
  /// Packets in a repetition; 0 until a repetition is found.
  private var period = 0
  /// Number of the next packet in the repetition.
  private var phase = 0

  init(_ words: UnsafeMutablePointer<UInt64>) {
    (hashes, recent) = (words, words + Self.capacity)
  }

  /// Duration of the audio that repeats; zero until the whole period was repeated once.
  var repeated: StreamTime { period > 0 && count >= 2 * period ? span : .zero }

  mutating func restart() { (count, span, period) = (0, .zero, 0) }

  mutating func consume(_ hash: UInt64, _ duration: StreamTime) {
    if period > 0 { follow(hash) }
    if period == 0, count >= Self.capacity { restart() }
    if count < Self.capacity { hashes[count] = hash }
    recent[count % Self.headCount] = hash
    if period == 0, count >= Self.headCount { search() }
    count += 1
    span += duration
  }

  /// Compares a packet with the one of the repetition before.
  private mutating func follow(_ hash: UInt64) {
    if hashes[phase] != hash {
      period = 0
    } else {
      phase = (phase + 1) % period
    }
  }

  /// Compares the last packets with the first.
  private mutating func search() {
    let begin = count + 1 - Self.headCount
    for number in 0..<Self.headCount where recent[(begin + number) % Self.headCount] != hashes[number] { return }
    (period, phase) = (begin, Self.headCount % begin)
  }
}
