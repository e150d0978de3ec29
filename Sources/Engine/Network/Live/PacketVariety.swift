import Framing

/// Counts packets that differ from the packets directly before. Encoded silence has at most nine different packets.
struct PacketVariety {
  private(set) var count = 0
  private var last = [PacketPrint]()
  private var place = 0

  private static let lastCount = 16

  init() { last.reserveCapacity(Self.lastCount) }

  mutating func append(_ packet: PacketPrint) {
    if !last.contains(packet) { count += 1 }
    guard last.count == Self.lastCount else { return last.append(packet) }
    last[place] = packet
    place = (place + 1) % Self.lastCount
  }
}
