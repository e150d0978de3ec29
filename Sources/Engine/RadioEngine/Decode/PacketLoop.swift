import Units

/// Finds packets that repeat (F3), also after other audio. Decode thread only.
///
/// Remembers the hashes of the last packets. When a repetition ends, the distance with the longest repetition until
/// then is the next period: a loop may contain a pause, or repeat a part of its own.
struct PacketLoop {
  /// Number of hashes: 30 s of packets of 20 ms. A longer loop is not found.
  static let capacity = 1_536
  /// Number of equal packets that begin a repetition.
  static let headCount = 8
  /// Number of 64-bit words that the loop needs.
  static let wordCount = 3 * capacity + bucketCount

  private static let bucketCount = 1_024
  /// Maximum comparisons for a packet, and for a second of audio: very short packets must not occupy a core.
  static let maxWork = 4_096
  static let maxWorkPerSecond = 262_144

  private let hashes: UnsafeMutablePointer<UInt64>
  /// The start of each packet, in ticks since the first.
  private let starts: UnsafeMutablePointer<UInt64>
  /// For each packet, 1 + the number of the packet before in the same bucket.
  private let links: UnsafeMutablePointer<UInt64>
  /// For each bucket of hashes, 1 + the number of its last packet.
  private let buckets: UnsafeMutablePointer<UInt64>
  /// Number of packets ever, and at the last restart.
  private var (count, first) = (0, 0)
  private var now = StreamTime.zero
  /// Packets in a repetition; 0 until a repetition is found.
  private var period = 0
  /// Number of packets equal to those a period earlier.
  private var equalCount = 0
  /// The start of the first repetition.
  private var start = StreamTime.zero
  /// Number of comparisons since the creation, at least the allowed number less `maxWork`.
  private(set) var work = 0

  init(_ words: UnsafeMutablePointer<UInt64>) {
    words.initialize(repeating: 0, count: Self.wordCount)
    (hashes, starts) = (words, words + Self.capacity)
    (links, buckets) = (words + 2 * Self.capacity, words + 3 * Self.capacity)
  }

  /// Duration of the audio that repeats; zero until the whole period was repeated once.
  var repeated: StreamTime { period > 0 && equalCount >= period ? now - start : .zero }

  mutating func restart() { (first, period) = (count, 0) }

  mutating func consume(_ hash: UInt64, _ duration: StreamTime) {
    let (place, bucket) = (count % Self.capacity, Int(hash % UInt64(Self.bucketCount)))
    hashes[place] = hash
    starts[place] = UInt64(bitPattern: now.ticks)
    links[place] = buckets[bucket]
    buckets[bucket] = UInt64(count + 1)
    now += duration
    count += 1
    if period > 0, isEqual(count - 1, period) { equalCount += 1 } else { search() }
  }

  /// Number of the oldest packet that is remembered.
  private var oldest: Int { max(first, count - Self.capacity) }

  private func isEqual(_ number: Int, _ distance: Int) -> Bool {
    number - distance >= oldest && hashes[number % Self.capacity] == hashes[(number - distance) % Self.capacity]
  }

  /// Finds the distance at which the most packets until the last one repeat.
  private mutating func search() {
    (period, equalCount) = (0, Self.headCount - 1)
    let last = count - 1
    let limit = Int(now.seconds * Double(Self.maxWorkPerSecond)) + Self.maxWork
    work = max(work, limit - Self.maxWork)
    var other = Int(links[last % Self.capacity]) - 1
    while other >= oldest, work < limit {
      let distance = last - other
      var equal = 0
      while work < limit, isEqual(last - equal, distance) { (equal, work) = (equal + 1, work + 1) }
      if equal > equalCount { (period, equalCount) = (distance, equal) }
      (other, work) = (Int(links[other % Self.capacity]) - 1, work + 1)
    }
    let begin = (count - equalCount - period) % Self.capacity
    if period > 0 { start = StreamTime(ticks: Int64(bitPattern: starts[begin])) }
  }
}
