import Framing

/// The packets at the start of a station's connections. Two connections that begin with the same packets, and continue
/// with others, began with a pre-roll (B4). The memory is bounded and reserved in `init`. Net thread only.
struct ConnectionOpenings {
  /// Relation of a packet to the start of earlier connections.
  enum Relation: Equatable {
    /// The connection began with other packets, or is compared no longer.
    case other
    /// All packets so far are those of an earlier connection. `isKnown`: true within a pre-roll that was sent before.
    case repeated(isKnown: Bool)
    /// The first packet after a pre-roll.
    case different
  }

  private struct Opening {
    var packets: [PacketPrint] = []
    /// Number of first packets that a second connection had too, before other packets.
    var prerollCount = 0
    /// True if the current connection began with the same packets.
    var isRepeated = false
  }

  private enum Phase {
    case idle
    case comparing
    /// The connection is the newest opening, and is recorded.
    case recording
  }

  /// Maximum number of packets of an opening: 33 s of MP3.
  static let capacity = 1_280
  private static let maxCount = 3
  /// Minimum number of repeated packets, and of different ones among them. Silence and a short jingle show no pre-roll.
  private static let least = (packets: 38, variety: 12)

  /// The openings in the order of their age.
  private var openings: [Opening] = []
  private var phase = Phase.idle
  /// Number of the connection's repeated packets.
  private var count = 0
  private var variety = PacketVariety()

  init() {
    openings.reserveCapacity(Self.maxCount)
    for _ in 0..<Self.maxCount {
      var opening = Opening()
      opening.packets.reserveCapacity(Self.capacity)
      openings.append(opening)
    }
  }

  mutating func removeAll() {
    end()
    for index in openings.indices {
      openings[index].packets.removeAll(keepingCapacity: true)
      openings[index].prerollCount = 0
    }
  }

  /// Starts a connection.
  mutating func begin() {
    (phase, count, variety) = (.comparing, 0, PacketVariety())
    for index in openings.indices { openings[index].isRepeated = !openings[index].packets.isEmpty }
  }

  /// Ends the comparison until the next connection.
  mutating func end() { phase = .idle }

  /// True if further packets of the connection are compared or recorded.
  var isOpen: Bool { if case .idle = phase { false } else { true } }

  /// True if the connection repeats an earlier one, with enough packets for a pre-roll.
  var isRepeating: Bool {
    guard case .comparing = phase else { return false }
    return count >= Self.least.packets && variety.count >= Self.least.variety
  }

  /// Processes a packet of the connection.
  mutating func offer(_ packet: PacketPrint) -> Relation {
    switch phase {
    case .idle: return .other
    case .recording:
      record(packet)
      return .other
    case .comparing: return compare(packet)
    }
  }

  private mutating func compare(_ packet: PacketPrint) -> Relation {
    let place = count
    let isRepeated = openings.contains { $0.isRepeated && Self.matches($0, packet, at: place) }
    guard isRepeated else { return diverge(packet) }
    for index in openings.indices where openings[index].isRepeated {
      openings[index].isRepeated = Self.matches(openings[index], packet, at: place)
    }
    count += 1
    variety.append(packet)
    if let index = openings.firstIndex(where: \.isRepeated), openings[index].packets.count == place {
      extend(index, packet)
      return .other
    }
    if count == Self.capacity { end() }
    guard isRepeating else { return .other }
    return .repeated(isKnown: openings.contains { $0.isRepeated && place < $0.prerollCount })
  }

  /// True if an opening has the packet at a place, or ended there with its connection.
  private static func matches(_ opening: Opening, _ packet: PacketPrint, at place: Int) -> Bool {
    place < opening.packets.count ? opening.packets[place] == packet : place == opening.packets.count
  }

  /// Continues an opening whose connection ended before the current one.
  private mutating func extend(_ index: Int, _ packet: PacketPrint) {
    openings.append(openings.remove(at: index))
    phase = .recording
    record(packet)
  }

  /// Processes the first packet that no earlier connection had at this place.
  private mutating func diverge(_ packet: PacketPrint) -> Relation {
    if isRepeating {
      for index in openings.indices where openings[index].isRepeated {
        openings[index].prerollCount = max(openings[index].prerollCount, count)
      }
      end()
      return .different
    }
    let start = openings.first(where: \.isRepeated)?.packets.prefix(count) ?? []
    var opening = openings.remove(at: openings.firstIndex { $0.prerollCount == 0 } ?? 0)
    opening.packets.removeAll(keepingCapacity: true)
    opening.packets += start
    (opening.prerollCount, opening.isRepeated) = (0, false)
    openings.append(opening)
    phase = .recording
    record(packet)
    return .other
  }

  private mutating func record(_ packet: PacketPrint) {
    let newest = openings.count - 1
    openings[newest].packets.append(packet)
    if openings[newest].packets.count >= Self.capacity { end() }
  }
}
