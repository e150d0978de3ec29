/// Finds the stitch where a new connection's packets continue the buffered packets, without repeated or lost audio.
///
/// A candidate fits if all packets of the overlap are equal, up to the last buffered packet. The only candidate is
/// proven if enough packets of the overlap occur only once. Repeated audio (silence, a loop, a jingle) proves nothing.
/// Net thread only.
public struct Stitcher: ~Copyable {
  /// Position of the new packets relative to the buffered packets.
  public enum Verdict: Equatable, Sendable {
    /// All new packets are already buffered, and at least one later packet is too.
    case inside(isProven: Bool)
    /// Number of first new packets that are already buffered; the packet after them is new.
    case overlap(Int, isProven: Bool)
    /// Mismatch at every position.
    case none
  }

  /// Maximum number of remembered packets: 100 s of MP3.
  public static var capacity: Int { 4_096 }

  private var buffered = [PacketPrint](repeating: PacketPrint(hash: 0, isRich: false), count: Stitcher.capacity)
  private var bufferedCount = 0
  private var fresh: [PacketPrint] = []
  /// Offsets of the first new packet from the oldest buffered packet that still fit; negative if earlier.
  private var candidates: [Int] = []
  private var complete: [Int] = []
  /// True if the overlap may start at any new packet, because other audio may precede the programme. An overlap then
  /// counts only with a proof.
  private var startsAnywhere = false

  /// Creates a stitcher without packets.
  public init() {
    fresh.reserveCapacity(Self.capacity)
    candidates.reserveCapacity(2 * Self.capacity)
    complete.reserveCapacity(Self.capacity)
  }

  /// Forgets all packets, for another programme or after a gap that prevents comparison.
  public mutating func removeAll() {
    bufferedCount = 0
    beginComparison()
  }

  /// Forgets all buffered packets except the newest, because the station restarted with these.
  public mutating func removeAll(allBut newest: Int) {
    let kept = (max(0, rememberedCount - newest)..<rememberedCount).map { bufferedPacket(at: $0) }
    removeAll()
    for packet in kept { recordBuffered(packet) }
  }

  /// Remembers a newly buffered packet.
  public mutating func recordBuffered(_ packet: PacketPrint) {
    buffered[bufferedCount % Self.capacity] = packet
    bufferedCount += 1
  }

  /// Ends the comparison. Remembers the new packets, except the first `count`, as buffered.
  public mutating func recordFreshAsBuffered(dropping count: Int) {
    for packet in fresh.dropFirst(count) { recordBuffered(packet) }
    beginComparison()
  }

  /// True if no buffered packet is remembered.
  public var isEmpty: Bool { bufferedCount == 0 }

  /// Starts the comparison for a new connection. `startsAnywhere`: true if other audio may precede the programme.
  public mutating func beginComparison(startsAnywhere: Bool = false) {
    self.startsAnywhere = startsAnywhere
    fresh.removeAll(keepingCapacity: true)
    candidates.removeAll(keepingCapacity: true)
    complete.removeAll(keepingCapacity: true)
  }

  /// True if no further packet can be compared.
  public var isFull: Bool { fresh.count == Self.capacity }

  private var rememberedCount: Int { min(bufferedCount, Self.capacity) }

  /// Returns a buffered packet; index 0 is the oldest.
  private func bufferedPacket(at index: Int) -> PacketPrint {
    assert((0..<rememberedCount).contains(index), "only what is remembered is compared with")
    return buffered[(bufferedCount - rememberedCount + index) % Self.capacity]
  }

  /// Adds the next new packet. Returns the overlap in packets if exactly one candidate remains and is complete.
  public mutating func offer(_ packet: PacketPrint) -> Int? {
    guard !isFull, !isEmpty else { return nil }
    let index = fresh.count
    fresh.append(packet)
    let count = rememberedCount
    if index == 0 {
      for place in 0..<count where bufferedPacket(at: place) == packet { candidates.append(place) }
    } else {
      removeMismatches(index, packet)
      // The burst may reach back further than the oldest buffered packet.
      if bufferedPacket(at: 0) == packet { candidates.append(-index) }
      if startsAnywhere { addCandidate(index, packet) }
    }
    retireComplete(index, count)
    return candidates.isEmpty && complete.count == 1 ? complete[0] : nil
  }

  /// True if no candidate fits, so that a match is unlikely.
  public var fitsNowhere: Bool { candidates.isEmpty && complete.isEmpty && !fresh.isEmpty }

  /// True if an overlap is complete: the next packets are new.
  public var isFound: Bool { !complete.isEmpty }

  /// Number of first new packets that precede an overlap of `count` packets, and are not buffered.
  public func leadingCount(of count: Int) -> Int {
    guard startsAnywhere else { return 0 }
    let place = rememberedCount - count
    var first = count
    while first > max(0, -place), bufferedPacket(at: place + first - 1) == fresh[first - 1] { first -= 1 }
    // A burst may reach back further than the oldest buffered packet.
    return place + first > 0 ? first : 0
  }

  /// True if candidates remain but none is complete: all new packets are buffered, and later packets too.
  public var isInside: Bool { complete.isEmpty && !candidates.isEmpty }

  /// True if the first `count` new packets equal the last `count` buffered packets, as far as remembered.
  public func isComplete(_ count: Int) -> Bool { complete.contains(count) }

  /// Number of buffered packets after the new packets, at the oldest candidate; 0 without candidates.
  public var remainingCount: Int { candidates.first.map { rememberedCount - $0 - fresh.count } ?? 0 }

  /// Returns the current verdict. `expected`: overlap estimated by the clock, which selects among several candidates.
  public func verdict(expecting expected: Int) -> Verdict {
    guard let overlap = complete.min(by: { abs($0 - expected) < abs($1 - expected) }) else {
      guard let place = candidates.first else { return .none }
      return .inside(isProven: candidates.count == 1 && weight(of: fresh.count, from: place) >= Self.proof)
    }
    assert(overlap <= fresh.count, "an overlap is of new packets; it may reach back beyond the held ones")
    let isOnly = candidates.isEmpty && complete.count == 1
    return .overlap(overlap, isProven: isOnly && weight(of: overlap, from: rememberedCount - overlap) >= Self.proof)
  }

  private mutating func removeMismatches(_ index: Int, _ packet: PacketPrint) {
    var kept = 0
    for place in candidates where bufferedPacket(at: place + index) == packet {
      candidates[kept] = place
      kept += 1
    }
    candidates.removeLast(candidates.count - kept)
  }

  /// Adds a candidate whose overlap starts with the newest packet, if this packet is buffered once.
  private mutating func addCandidate(_ index: Int, _ packet: PacketPrint) {
    var found: Int?
    for place in 0..<rememberedCount where bufferedPacket(at: place) == packet {
      if found != nil { return }
      found = place
    }
    guard let found, !candidates.contains(found - index) else { return }
    candidates.append(found - index)
  }

  private mutating func retireComplete(_ index: Int, _ count: Int) {
    var kept = 0
    for place in candidates {
      assert(place + index < count, "a place is retired where its overlap ends")
      if place + index == count - 1 {
        if !startsAnywhere || weight(of: index + 1, from: place) >= Self.proof { complete.append(index + 1) }
      } else {
        candidates[kept] = place
        kept += 1
      }
    }
    candidates.removeLast(candidates.count - kept)
  }
}

extension Stitcher {
  /// Minimum weight for a proof: two rich packets or twelve others.
  private static var proof: Int { 2 * rich }
  /// Weight of a rich packet; others weigh 1. Encoders encode silence as up to nine different packets.
  private static var rich: Int { 6 }

  /// Returns the weight of the first `count` new packets. Repeated packets, on either side, do not count.
  private func weight(of count: Int, from place: Int) -> Int {
    var weight = 0
    for index in stride(from: count - 1, through: max(0, -place), by: -1) {
      if startsAnywhere, bufferedPacket(at: place + index) != fresh[index] { break }
      guard isSingle(fresh[index]) else { continue }
      weight += fresh[index].isRich ? Self.rich : 1
      if weight >= Self.proof { break }
    }
    return weight
  }

  private func isSingle(_ packet: PacketPrint) -> Bool {
    var count = 0
    for index in 0..<rememberedCount where buffered[index] == packet {
      count += 1
      if count > 1 { return false }
    }
    count = 0
    for other in fresh where other == packet {
      count += 1
      if count > 1 { return false }
    }
    return true
  }
}

/// Fingerprint of a packet: a hash of its bytes, and a flag for rich content. Equal if the hashes are equal.
public struct PacketPrint: Equatable, Sendable, BitwiseCopyable {
  private let bits: UInt64

  /// Creates a fingerprint. The lowest bit of `hash` is ignored.
  public init(hash: UInt64, isRich: Bool) { bits = hash & ~1 | (isRich ? 1 : 0) }

  /// Compares the hashes.
  public static func == (one: PacketPrint, other: PacketPrint) -> Bool { one.hash == other.hash }

  /// The hash; its lowest bit is 0.
  public var hash: UInt64 { bits & ~1 }

  /// True if the packet has too many different byte values to be silence. Known only for packets of a connection that
  /// is compared.
  public var isRich: Bool { bits & 1 != 0 }

  /// Returns the digest of a row of packets that ends with this packet. `digest`: of the packets before.
  public func digest(after digest: UInt64) -> UInt64 {
    let mixed = (digest ^ hash) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ (mixed >> 29)
  }
}
