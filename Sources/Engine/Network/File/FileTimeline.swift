import Blocks
import Framing
import Units

/// Maps the seconds of a file to its bytes, as far as known, and times the packets of the current part. A value.
struct FileTimeline {
  /// Measures the packets from the file's start, until a seek.
  private var meter = FileMeter()
  private var fixed: FileMap?
  private let byteCount: Int?
  private var tail = 0
  /// Timeline of a format whose packets carry positions; nil for MPEG audio and ADTS.
  private var framed: FramedTimeline?
  private let isLocal: Bool

  private var clock: StreamTime?
  /// True if `clock` is exact to the packet.
  private(set) var isTimed = false
  /// The part's first packet with an estimated time; nil if the time is exact.
  private var guess: ExactSeekIndex.Point?
  /// The part's first packet if the map gave its time, exact or not.
  private var estimate: ExactSeekIndex.Point?
  private var counted = ExactSeekIndex()
  /// Parts of a joined file; empty if unknown.
  private var parts: [SoundPart] = []
  /// True if sound follows the end that the figures of the file state.
  private(set) var isJoined = false

  /// Audio that a decoder needs before its output is right, and a tolerance if the first packet is found late.
  static let runUp = StreamTime(seconds: 0.45)
  /// Maximum number of bytes to read and drop, if they make the packet times exact.
  private static let maxWay = 24_576
  private static let maxLocalWay = 1 << 24
  /// Maximum number of bytes to count, as a limit for the server's load.
  private static let maxCounted = 1 << 25

  /// `byteCount`: nil if unknown. `tail`: bytes of tags at the end.
  init(byteCount: Int?, tail: Int = 0, isLocal: Bool = false) {
    (self.byteCount, self.tail, self.isLocal) = (byteCount, tail, isLocal)
  }

  // MARK: Map

  var map: FileMap? { framed?.map ?? fixed ?? measuredMap }

  private var measuredMap: FileMap? { meter.map(of: parts) ?? meter.map(total: byteCount, tail: tail) }

  /// True if enough of the file was read for a reliable map.
  var isSettled: Bool { framed != nil || meter.isSettled }

  mutating func record(_ facts: FramedFacts) { framed = FramedTimeline(facts, byteCount: byteCount) }

  /// True if the map no longer changes, except for tags at the end.
  var isFixed: Bool { fixed != nil }

  /// True if the duration depends on the end of the audio.
  var restsOnItsEnd: Bool { framed?.restsOnItsEnd ?? (byteCount != nil && !meter.isLengthStated(total: byteCount)) }

  var wantsSamples: Bool { framed == nil && fixed == nil && parts.isEmpty && meter.needsSamples }

  /// Start time of the next packet; nil before the first packet of a part.
  var time: StreamTime? { framed.map(\.clock) ?? clock }

  mutating func evaluateTail(bytes: Span<UInt8>) { framed?.evaluateTail(tail: bytes) }

  mutating func record(tail: Int) {
    self.tail = tail
    cutLastPart()
    renewMap()
  }

  private mutating func cutLastPart() {
    if let byteCount, let last = parts.popLast() { parts.append(last.cut(at: byteCount - tail)) }
  }

  private mutating func renewMap() { if fixed != nil { fixed = measuredMap } }

  /// Chooses the current map for all further parts; nil if unknown.
  mutating func fix() -> FileMap? {
    fixed = map
    return fixed
  }

  // MARK: Parts

  /// Returns the search for the parts of a joined file; nil if not needed, or without a length in bytes.
  var partFinder: PartFinder? {
    guard framed == nil, parts.isEmpty, let byteCount else { return nil }
    return meter.partFinder(total: byteCount, tail: tail)
  }

  /// True if the last sound shows if the file is joined.
  var needsEndOfSound: Bool { framed == nil && parts.isEmpty && meter.needsEndOfSound(total: byteCount) }

  /// Records the result of a search. Returns the error of the estimated position; nil if the position stays.
  mutating func record(_ outcome: PartFinder.Outcome) -> StreamTime? {
    guard framed == nil else { return nil }
    switch outcome {
    case .single: return nil
    case .varied: meter.markVaried()
    case .whole: if let byteCount, let end = meter.statedEnd { tail = max(0, byteCount - end.byte) }
    case .parts(let found):
      parts = found
      // A continued search may be older than the tail.
      cutLastPart()
      markJoined()
    }
    renewMap()
    guard case .parts = outcome, let map = fixed, let estimate, let clock else { return nil }
    let further = map.time(at: estimate.byte) - estimate.time
    self.clock = clock + further
    isTimed = map.isPacketExact(at: estimate.byte)
    guess = isTimed ? nil : ExactSeekIndex.Point(byte: estimate.byte, time: estimate.time + further)
    return further
  }

  private mutating func markJoined() {
    isJoined = true
    meter.markJoined()
  }

  /// Checks a packet after the end that the figures state.
  private mutating func checkEnd(_ info: PacketInfo, at time: StreamTime) {
    guard !isJoined, framed == nil, let end = meter.statedEnd, info.byteOffset >= end.byte else { return }
    let isLate = isTimed ? time >= end.time : info.byteOffset - end.byte > Self.minPartByteCount
    guard isLate else { return }
    markJoined()
    renewMap()
  }

  /// Minimum number of bytes after the stated end if the time of a packet is an estimate.
  private static let minPartByteCount = 2_048

  // MARK: Packets

  /// Processes a packet. Returns false for a packet without audio, such as a VBR header.
  mutating func accept(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) -> Bool {
    if framed != nil { return true }
    let packet = bytes.bindMemory(to: UInt8.self).span
    if let fixed { return info.byteOffset >= fixed.firstByte && !XingHeader.isPresent(in: packet) }
    return meter.process(info, packet)
  }

  mutating func sample(_ info: PacketInfo) { meter.sample(info) }

  mutating func beginPart() {
    framed?.beginPart()
    (clock, isTimed, guess) = (nil, false, nil)
    estimate = nil
  }

  mutating func seek() { framed?.seek() }

  mutating func misses(_ goal: StreamTime, at time: StreamTime) -> Bool { framed?.misses(goal, at: time) ?? false }

  mutating func handleStrayPart() -> Bool { framed?.handleStrayPart() ?? false }

  /// Returns the time of a packet: after the previous packet, or for the first of a part by its byte offset.
  mutating func time(of info: PacketInfo) -> Range<StreamTime> {
    if let time = framed?.time(of: info) { return time }
    assert(guess == nil || !isTimed, "what is guessed is not known")
    let map = map
    let start: StreamTime
    if let clock {
      start = clock
    } else if let time = counted.time(at: info.byteOffset) {
      (start, isTimed) = (time, true)
    } else {
      start = map?.time(at: info.byteOffset) ?? .zero
      isTimed = map.map { $0.isPacketExact(at: info.byteOffset) } ?? true
      estimate = ExactSeekIndex.Point(byte: info.byteOffset, time: start)
      if !isTimed { guess = estimate }
    }
    if isTimed, map?.basis != .constant { counted.insert(info.byteOffset, at: start) }
    checkEnd(info, at: start)
    let end = start + info.duration
    clock = end
    return start..<end
  }

  /// True if the packets carry no positions, so that the time of a packet depends only on the packets before.
  var isPacked: Bool { framed == nil }

  /// Continues with the next packet at a time, in another version of the file.
  mutating func resume(at time: StreamTime) {
    (clock, isTimed, guess) = (time, false, nil)
    estimate = nil
  }

  // MARK: Positions

  /// Returns the byte at which a decoder must start to be ready at `goal`; nil without a map.
  func byte(for goal: StreamTime) -> Int? {
    if let framed { return framed.byte(for: goal) }
    guard let fixed else { return nil }
    let place = goal <= Self.runUp ? fixed.firstByte : place(of: goal - Self.runUp, fixed)
    return byteCount.map { min(place, $0) } ?? place
  }

  /// Returns the byte at which to start for `time`. Prefers a counted point if it is near: the times of later packets
  /// are then exact.
  private func place(of time: StreamTime, _ map: FileMap) -> Int {
    let place = map.byte(at: time)
    if map.isPacketExact(at: place) { return place }
    let counted = exactPoint(counted.last(before: time), beforeByte: place, map)
    let way = isLocal ? Self.maxLocalWay : Self.maxWay
    return (0...way).contains(place - counted.byte) ? counted.byte : place
  }

  /// The bytes to count if the part's start time is an estimate; nil if not needed or too far.
  var stretchToCount: (from: ExactSeekIndex.Point, to: Int)? {
    guard let guess, let fixed, !isLocal else { return nil }
    let from = exactPoint(counted.last(beforeByte: guess.byte), beforeByte: guess.byte, fixed)
    return (1...Self.maxCounted).contains(guess.byte - from.byte) ? (from, guess.byte) : nil
  }

  /// Returns the later of a counted point and the start of a part.
  private func exactPoint(
    _ counted: ExactSeekIndex.Point?, beforeByte byte: Int, _ map: FileMap
  ) -> ExactSeekIndex.Point {
    let start =
      map.partStart(before: byte).map { ExactSeekIndex.Point(byte: $0.byte, time: $0.time) }
      ?? ExactSeekIndex.Point(byte: map.firstByte, time: .zero - map.lead)
    return counted.map { $0.byte > start.byte ? $0 : start } ?? start
  }

  mutating func count(_ byte: Int, at time: StreamTime) { counted.insert(byte, at: time) }

  /// Sets the counted time of the part's first packet. Returns the error of the estimate; nil without an estimate.
  mutating func correct(at time: StreamTime) -> StreamTime? {
    guard let guess, let clock else { return nil }
    assert(!isTimed && clock >= guess.time, "a part's packets follow its first")
    let further = time - guess.time
    self.clock = clock + further
    (isTimed, self.guess) = (true, nil)
    estimate = nil
    return further
  }
}
