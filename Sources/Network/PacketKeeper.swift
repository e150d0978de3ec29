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

/// A title that waited for its packets' place.
struct ReleasedTitle {
  var title: StationTitle
  /// The time that it belongs to.
  var at: StreamTime
  /// Whether it stood in the overlap, so that it may have been told when it came first.
  var isRepeated: Bool
}

/// Puts a programme's packets into the ring, and joins each new connection's to those held. The net thread's.
///
/// A new connection's packets wait, unseen by the reader, until their place is found or time is up; then the overlap is
/// dropped at a packet's border and the rest is published. After a proven stitch the decoder never notices.
struct PacketKeeper: ~Copyable {
  var writer: BlockWriter
  private var stitcher = Stitcher()
  /// Hashes of what waits, and titles with the number of packets before them.
  private var waiting: [UInt64] = []
  private var titles: [(title: StationTitle, packet: Int)] = []
  private var released: [ReleasedTitle] = []

  /// When the new connection's packets are published even without a place; nil while nothing waits.
  private(set) var deadline: MonotonicTime?
  private var staged = 0
  private var stagedTime = StreamTime.zero
  private var lastStaged = MonotonicTime.zero
  private var isJoining = false
  /// Whether the overlap went to its last packet without a proof, so that the next one follows a gap.
  private var marksNext = false
  /// When the last packet before the new connection came.
  private var lastPacket = MonotonicTime.zero
  /// Seconds by which it came late, because the server had been made to wait.
  var lag = 0.0
  /// Whether the server sent faster than real time and was slowed down, so that the clock tells nothing about what is
  /// missing.
  var wasThrottled = false

  init(_ writer: consuming BlockWriter) { self.writer = writer }

  /// A new programme.
  mutating func begin(epoch: UInt32) {
    writer.begin(epoch: epoch)
    stitcher.forget()
    endJoining()
    (marksNext, wasThrottled, lag) = (false, false, 0)
  }

  /// A new connection of the same programme; what an older one left waiting was settled.
  mutating func join() {
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
      append(info, bytes)
      return nil
    }
    if deadline == nil { deadline = now + patience }
    let verdict = stitcher.offer(hash)
    guard writer.stage(info, bytes) else { return settle() }
    waiting.append(hash)
    staged += 1
    stagedTime += info.duration
    lastStaged = now
    if case .overlap(let count, true) = verdict { return publish(count, isProven: true) }
    return stitcher.isFull ? settle() : nil
  }

  private mutating func append(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
    var info = info
    if marksNext { info.followsGap = true }
    marksNext = false
    if !writer.append(info, bytes) { stitcher.forget() }
  }

  /// Takes a title; the time that it belongs to, unless it has to wait for its packets' place.
  mutating func take(_ title: StationTitle) -> StreamTime? {
    guard isJoining else { return writer.time }
    if titles.count == Self.mostTitles { titles.removeFirst() }
    titles.append((title, staged))
    return nil
  }

  private static let mostTitles = 64

  /// Titles that waited and may now be told.
  mutating func releasedTitles() -> [ReleasedTitle] {
    defer { released = [] }
    return released
  }

  /// A place is found within what is held, less half a second, and two seconds at most. Where hardly anything is held,
  /// a burst still gets the time that it needs on its way: nothing sounds before a second of it is there.
  private var patience: MonotonicTime {
    MonotonicTime(seconds: max(0.25, min(writer.ahead.seconds - 0.5, 2)))
  }

  /// Publishes what waits by the best that is known.
  mutating func settle() -> Stitch? {
    guard isJoining, staged > 0 else {
      endJoining()
      return nil
    }
    let expected = expectedOverlap
    let packets = Int(Double(staged) * max(0, expected) / max(0.001, stagedTime.seconds))
    let missing = wasThrottled ? 0 : max(0, -expected)
    switch stitcher.settle(expecting: packets) {
    case .overlap(let count, let isProven): return publish(count, isProven: isProven, missing: missing)
    case .open, .none:
      return publish(wasThrottled ? 0 : min(staged, packets), isProven: false, missing: missing)
    }
  }

  /// Seconds of what waits that were sent before, by the clock: what waits ends now, what is held ended when its last
  /// packet came in time.
  private var expectedOverlap: Double { stagedTime.seconds - (lastStaged - lastPacket).seconds - lag }

  private mutating func publish(_ dropped: Int, isProven: Bool, missing: Double = 0) -> Stitch {
    let start = writer.time
    let overlap = writer.publishStaged(dropping: dropped, followsGap: !isProven)
    marksNext = !isProven && dropped == staged
    for hash in waiting.dropFirst(dropped) { stitcher.hold(hash) }
    release(dropped, from: start)
    lastPacket = lastStaged
    (wasThrottled, lag) = (false, 0)
    endJoining()
    return Stitch(
      overlap: overlap, lost: isProven ? .zero : StreamTime(seconds: missing), isExact: isProven,
      isEstimated: !isProven)
  }

  /// Titles of the overlap were told before, but perhaps for the last of them; the others move to their packets' time.
  private mutating func release(_ dropped: Int, from start: StreamTime) {
    let rest = max(1, staged - dropped)
    let length = writer.time - start
    let firstAfter = titles.firstIndex { $0.packet > dropped } ?? titles.count
    released = titles.enumerated().compactMap { index, entry in
      guard index >= firstAfter - 1 else { return nil }
      let share = Double(max(0, entry.packet - dropped)) / Double(rest)
      return ReleasedTitle(
        title: entry.title, at: start + StreamTime(seconds: length.seconds * share), isRepeated: entry.packet < dropped)
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
