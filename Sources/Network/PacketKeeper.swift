import Blocks
import Framing
import Units

/// How a new connection was joined to what was held (R4.2).
public struct Stitch: Equatable, Sendable {
  /// What came again and was dropped.
  public var overlap: StreamTime
  /// What is missing; zero when seamless.
  public var lost: StreamTime
  /// Whether the place was proven.
  public var isExact: Bool
  /// Whether `overlap` or `lost` is a guess by the clock.
  public var isEstimated: Bool
}

/// Puts a programme's packets into the ring, and joins each new connection's to those held. The net thread's.
///
/// A new connection's packets wait, unseen by the reader, until their place is found or time is up; then the overlap is
/// dropped at a packet's border and the rest is published. After a proven stitch the decoder never notices.
struct PacketKeeper: ~Copyable {
  private(set) var writer: BlockWriter
  private var stitcher = Stitcher()
  /// Hashes of what waits, and titles with the number of packets before them.
  private var waiting: [UInt64] = []
  private var titles: [(title: StationTitle, packet: Int)] = []
  private var released: [(title: StationTitle, at: StreamTime)] = []

  /// When the new connection's packets are published even without a place; nil while nothing waits.
  private(set) var deadline: MonotonicTime?
  private var staged = 0
  private var stagedTime = StreamTime.zero
  private var isJoining = false
  private var began = MonotonicTime.zero
  /// When the last packet before the new connection came.
  private var lastPacket = MonotonicTime.zero
  /// Whether the server was slowed down, so that the clock tells nothing about what is missing.
  var wasThrottled = false

  init(_ writer: consuming BlockWriter) { self.writer = writer }

  /// A new programme.
  mutating func begin(epoch: UInt32) {
    writer.begin(epoch: epoch)
    stitcher.forget()
    endJoining()
    wasThrottled = false
  }

  /// A new connection of the same programme.
  mutating func join() {
    if isJoining { settle(at: lastPacket) }
    isJoining = !stitcher.isEmpty
    stitcher.begin()
  }

  /// The last packet is in.
  mutating func finish() { writer.finish() }

  /// Takes a packet; a stitch where it decided one.
  mutating func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, at now: MonotonicTime) -> Stitch? {
    let hash = PacketHash.of(bytes)
    guard isJoining else {
      lastPacket = now
      stitcher.hold(hash)
      if !writer.append(info, bytes) { stitcher.forget() }
      return nil
    }
    if deadline == nil {
      began = now
      deadline = now + patience
    }
    let verdict = stitcher.offer(hash)
    guard writer.stage(info, bytes) else { return settle(at: now) }
    waiting.append(hash)
    staged += 1
    stagedTime += info.duration
    if case .overlap(let count, true) = verdict { return publish(count, isProven: true, now) }
    return stitcher.isFull ? settle(at: now) : nil
  }

  /// Takes a title; those that may now be told, each with the time it belongs to.
  mutating func take(_ title: StationTitle) -> [(title: StationTitle, at: StreamTime)] {
    guard isJoining else { return [(title, writer.time)] }
    if titles.count == Self.mostTitles { titles.removeFirst() }
    titles.append((title, staged))
    return []
  }

  private static let mostTitles = 64

  /// Titles that waited and may now be told.
  mutating func releasedTitles() -> [(title: StationTitle, at: StreamTime)] {
    guard !isJoining else { return [] }
    defer { released = [] }
    return released
  }

  /// A place is found within what is held, less half a second, and two seconds at most.
  private var patience: MonotonicTime {
    MonotonicTime(seconds: max(0.1, min(writer.ahead.seconds - 0.5, 2)))
  }

  /// Publishes what waits by the best that is known.
  @discardableResult
  mutating func settle(at now: MonotonicTime) -> Stitch? {
    guard isJoining, staged > 0 else {
      endJoining()
      return nil
    }
    let expected = expectedOverlap(at: now)
    let packets = Int(Double(staged) * max(0, expected) / max(0.001, stagedTime.seconds))
    switch stitcher.settle(expecting: packets) {
    case .overlap(let count, let isProven): return publish(count, isProven: isProven, now)
    case .open, .none:
      let dropped = wasThrottled ? 0 : min(staged, packets)
      return publish(dropped, isProven: false, now, missing: max(0, -expected))
    }
  }

  /// Seconds of what waits that were sent before, by the clock: the burst reaches back so far, the outage lasted so
  /// long.
  private func expectedOverlap(at now: MonotonicTime) -> Double {
    stagedTime.seconds - (now - began).seconds - (began - lastPacket).seconds
  }

  private mutating func publish(
    _ dropped: Int, isProven: Bool, _ now: MonotonicTime, missing: Double? = nil
  ) -> Stitch {
    let start = writer.time
    let times = titles.map { $0.packet }
    let overlap = writer.publishStaged(dropping: dropped, followsGap: !isProven)
    for hash in waiting.dropFirst(dropped) { stitcher.hold(hash) }
    release(times, dropped, from: start)
    endJoining()
    lastPacket = now
    let isGuess = missing != nil
    return Stitch(
      overlap: overlap, lost: wasThrottled ? .zero : StreamTime(seconds: missing ?? 0), isExact: isProven,
      isEstimated: isGuess)
  }

  /// Titles of the overlap were told before, but for the last of them; the others move to their packets' time.
  private mutating func release(_ packets: [Int], _ dropped: Int, from start: StreamTime) {
    let rest = max(1, staged - dropped)
    let length = writer.time - start
    let firstAfter = packets.firstIndex { $0 > dropped } ?? titles.count
    released = titles.enumerated().compactMap { index, entry in
      guard index >= firstAfter - 1 else { return nil }
      let share = Double(max(0, entry.packet - dropped)) / Double(rest)
      return (entry.title, start + StreamTime(seconds: length.seconds * share))
    }
  }

  private mutating func endJoining() {
    isJoining = false
    deadline = nil
    staged = 0
    stagedTime = .zero
    titles = []
    waiting.removeAll(keepingCapacity: true)
  }
}

/// A title as it came.
struct StationTitle: Equatable {
  var text: String
  var url: String?
}

/// A packet's hash: FNV-1a over words, with a last mixing.
enum PacketHash {
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = (hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
      offset += 8
    }
    while offset < bytes.count {
      hash = (hash ^ UInt64(bytes[offset])) &* 0x0000_0100_0000_01B3
      offset += 1
    }
    hash ^= hash >> 32
    return hash &* 0xD6E8_FEB8_6659_FD93
  }
}
