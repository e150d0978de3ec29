/// Finds where the packets of a new connection lie in what is held, so that nothing is heard twice and nothing is lost.
///
/// It knows packets by their hashes only. A place counts when every packet of the overlap is the same, right through to
/// the last one held. Where several places do (silence, a loop), none of them is proven. Belongs to the net thread.
public struct Stitcher: ~Copyable {
  /// How the new packets lie to the held ones.
  public enum Verdict: Equatable, Sendable {
    /// More packets are needed.
    case open
    /// So many of the first new packets are held already; `isProven` when no other place fits.
    case overlap(Int, isProven: Bool)
    /// No place fits, nor will any.
    case none
  }

  /// Packets that are remembered: 100 s of MP3.
  public static var capacity: Int { 4_096 }

  private var held = [UInt64](repeating: 0, count: Stitcher.capacity)
  private var heldCount = 0
  private var freshCount = 0
  /// Places that still fit: how far the first new packet lies behind the oldest held one; negative before it.
  private var places: [Int] = []
  /// Places whose overlap is complete, with its length in packets.
  private var complete: [Int] = []

  /// A stitcher that remembers nothing.
  public init() {
    places.reserveCapacity(2 * Self.capacity)
    complete.reserveCapacity(Self.capacity)
  }

  /// Forgets all: another programme, or a gap over which nothing can be compared.
  public mutating func forget() {
    heldCount = 0
    begin()
  }

  /// Remembers a packet that is held from now on.
  public mutating func hold(_ hash: UInt64) {
    held[heldCount % Self.capacity] = hash
    heldCount += 1
  }

  /// Whether there is anything to compare with.
  public var isEmpty: Bool { heldCount == 0 }

  /// A new connection begins.
  public mutating func begin() {
    freshCount = 0
    places.removeAll(keepingCapacity: true)
    complete.removeAll(keepingCapacity: true)
  }

  /// Whether no more new packets can be compared.
  public var isFull: Bool { freshCount == Self.capacity }

  private var rememberedCount: Int { min(heldCount, Self.capacity) }

  /// A held packet by its age: 0 is the oldest that is remembered.
  private func held(at index: Int) -> UInt64 { held[(heldCount - rememberedCount + index) % Self.capacity] }

  /// Takes the next new packet and tells what is known now.
  public mutating func offer(_ hash: UInt64) -> Verdict {
    guard !isFull, !isEmpty else { return .none }
    let index = freshCount
    freshCount += 1
    let count = rememberedCount
    if index == 0 {
      for place in 0..<count where held(at: place) == hash { places.append(place) }
    } else {
      keepFitting(index, hash)
      // The burst may reach back further than what is held.
      if held(at: 0) == hash { places.append(-index) }
    }
    retireComplete(index, count)
    guard let overlap = complete.last, places.isEmpty else { return .open }
    return .overlap(overlap, isProven: isProven(overlap))
  }

  /// What to go by when no more time is left: the proven place, or of several the one nearest to the overlap that the
  /// clock makes likely.
  public func settle(expecting expected: Int) -> Verdict {
    guard let overlap = complete.min(by: { abs($0 - expected) < abs($1 - expected) }) else { return .none }
    return .overlap(overlap, isProven: isProven(overlap))
  }

  private mutating func keepFitting(_ index: Int, _ hash: UInt64) {
    var kept = 0
    for place in places where held(at: place + index) == hash {
      places[kept] = place
      kept += 1
    }
    places.removeLast(places.count - kept)
  }

  /// Moves the places whose overlap ends with this packet.
  private mutating func retireComplete(_ index: Int, _ count: Int) {
    var kept = 0
    for place in places {
      if place + index == count - 1 {
        complete.append(index + 1)
      } else {
        places[kept] = place
        kept += 1
      }
    }
    places.removeLast(places.count - kept)
  }

  /// Overlaps of one packet prove little: an encoder may repeat itself.
  private static var shortestProof: Int { 2 }

  private func isProven(_ overlap: Int) -> Bool {
    complete.count == 1 && places.isEmpty && min(overlap, rememberedCount) >= Self.shortestProof
  }
}
