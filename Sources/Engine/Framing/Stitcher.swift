/// Finds where the packets of a new connection lie in what is held, so that nothing is heard twice and nothing is lost.
///
/// A place counts when every packet of the overlap is the same, right through to the last one held. It is proven when
/// it is the only one, and when enough of the overlap came once and never again: what repeats itself (silence, a loop,
/// a jingle) proves nothing. Belongs to the net thread.
public struct Stitcher: ~Copyable {
  /// How the new packets lie to the held ones.
  public enum Verdict: Equatable, Sendable {
    /// All the new packets are held already, and so is at least one that they have not come to yet.
    case inside(isProven: Bool)
    /// So many of the first new packets are held already, and the next one is not.
    case overlap(Int, isProven: Bool)
    /// No place fits.
    case none
  }

  /// Packets that are remembered: 100 s of MP3.
  public static var capacity: Int { 4_096 }

  private var held = [PacketPrint](repeating: PacketPrint(hash: 0, isRich: false), count: Stitcher.capacity)
  private var heldCount = 0
  private var fresh: [PacketPrint] = []
  /// Places that still fit: how far the first new packet lies behind the oldest held one; negative before it.
  private var places: [Int] = []
  /// Places whose overlap is complete, with its length in packets.
  private var complete: [Int] = []

  /// A stitcher that remembers nothing.
  public init() {
    fresh.reserveCapacity(Self.capacity)
    places.reserveCapacity(2 * Self.capacity)
    complete.reserveCapacity(Self.capacity)
  }

  /// Forgets all: another programme, or a gap over which nothing can be compared.
  public mutating func forget() {
    heldCount = 0
    begin()
  }

  /// Forgets all held packets but the newest: what was held before them is not gone on with.
  public mutating func forget(allBut newest: Int) {
    let kept = (max(0, rememberedCount - newest)..<rememberedCount).map { held(at: $0) }
    forget()
    for packet in kept { hold(packet) }
  }

  /// Remembers a packet that is held from now on.
  public mutating func hold(_ packet: PacketPrint) {
    held[heldCount % Self.capacity] = packet
    heldCount += 1
  }

  /// Remembers the new packets, but for so many of the first, as held ones, and ends the comparison.
  public mutating func holdFresh(dropping count: Int) {
    for packet in fresh.dropFirst(count) { hold(packet) }
    begin()
  }

  /// Whether there is anything to compare with.
  public var isEmpty: Bool { heldCount == 0 }

  /// A new connection begins.
  public mutating func begin() {
    fresh.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    complete.removeAll(keepingCapacity: true)
  }

  /// Whether no more new packets can be compared.
  public var isFull: Bool { fresh.count == Self.capacity }

  private var rememberedCount: Int { min(heldCount, Self.capacity) }

  /// A held packet by its age: 0 is the oldest that is remembered.
  private func held(at index: Int) -> PacketPrint {
    assert((0..<rememberedCount).contains(index), "only what is remembered is compared with")
    return held[(heldCount - rememberedCount + index) % Self.capacity]
  }

  /// Takes the next new packet; the length of the overlap where exactly one place is left, and complete.
  public mutating func offer(_ packet: PacketPrint) -> Int? {
    guard !isFull, !isEmpty else { return nil }
    let index = fresh.count
    fresh.append(packet)
    let count = rememberedCount
    if index == 0 {
      for place in 0..<count where held(at: place) == packet { places.append(place) }
    } else {
      keepFitting(index, packet)
      // The burst may reach back further than what is held.
      if held(at: 0) == packet { places.append(-index) }
    }
    retireComplete(index, count)
    return places.isEmpty && complete.count == 1 ? complete[0] : nil
  }

  /// Whether none of the places that there were fits, so that hardly one will.
  public var fitsNowhere: Bool { places.isEmpty && complete.isEmpty && !fresh.isEmpty }

  /// Whether there is a place that fits, and at each such place the new packets are all held already, and not the last.
  public var isInside: Bool { complete.isEmpty && !places.isEmpty }

  /// How many held packets the new ones have not come to yet, at the oldest place that fits; 0 where there is none.
  public var remainingCount: Int { places.first.map { rememberedCount - $0 - fresh.count } ?? 0 }

  /// What is known by now: of several places the one nearest to the overlap that the clock makes likely.
  public func verdict(expecting expected: Int) -> Verdict {
    guard let overlap = complete.min(by: { abs($0 - expected) < abs($1 - expected) }) else {
      guard let place = places.first else { return .none }
      return .inside(isProven: places.count == 1 && weight(of: fresh.count, from: place) >= Self.proof)
    }
    assert(overlap <= fresh.count, "an overlap is of new packets; it may reach back beyond the held ones")
    let isOnly = places.isEmpty && complete.count == 1
    return .overlap(overlap, isProven: isOnly && weight(of: overlap, from: rememberedCount - overlap) >= Self.proof)
  }

  private mutating func keepFitting(_ index: Int, _ packet: PacketPrint) {
    var kept = 0
    for place in places where held(at: place + index) == packet {
      places[kept] = place
      kept += 1
    }
    places.removeLast(places.count - kept)
  }

  /// Moves the places whose overlap ends with this packet.
  private mutating func retireComplete(_ index: Int, _ count: Int) {
    var kept = 0
    for place in places {
      assert(place + index < count, "a place is retired where its overlap ends")
      if place + index == count - 1 {
        complete.append(index + 1)
      } else {
        places[kept] = place
        kept += 1
      }
    }
    places.removeLast(places.count - kept)
  }
}

// What a place is proven by.

extension Stitcher {
  /// What has to be weighed for a proof: two packets with much in them, or a dozen of any.
  private static var proof: Int { 2 * rich }
  /// What one with much in it weighs; others weigh one. Encoders make of silence up to nine different packets.
  private static var rich: Int { 6 }

  /// Weighs the overlap of the first `count` new packets: only what came once counts, on either side.
  private func weight(of count: Int, from place: Int) -> Int {
    var weight = 0
    for index in stride(from: count - 1, through: max(0, -place), by: -1) where isSingle(fresh[index]) {
      weight += fresh[index].isRich ? Self.rich : 1
      if weight >= Self.proof { break }
    }
    return weight
  }

  /// Whether a packet came but once among the held ones, and but once among the new.
  private func isSingle(_ packet: PacketPrint) -> Bool {
    var count = 0
    for index in 0..<rememberedCount where held[index] == packet {
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

/// What a packet is known by: a hash of its bytes, and whether there is much in them.
public struct PacketPrint: Hashable, Sendable, BitwiseCopyable {
  private let bits: UInt64

  /// The print of a packet; of `hash` the lowest bit does not count.
  public init(hash: UInt64, isRich: Bool) { bits = hash & ~1 | (isRich ? 1 : 0) }

  /// Whether it holds so many different bytes that it is no silence.
  public var isRich: Bool { bits & 1 != 0 }
}
