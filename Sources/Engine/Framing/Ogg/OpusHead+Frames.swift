import Blocks

extension OpusHead {
  /// Returns the frames of a packet at 48 kHz, 120 … 5,760; nil if the packet is invalid (RFC 6716, section 3.4).
  func frames(_ packet: Span<UInt8>) -> Int? {
    guard packet.count > 0 else { return nil }
    let code = packet[0] & 3
    var count = code == 0 ? 1 : 2
    if code == 3 {
      guard packet.count > 1 else { return nil }
      count = Int(packet[1] & 0x3F)
    }
    let frames = count * Self.frameSize(packet[0] >> 3)
    guard count > 0, frames <= 5_760 else { return nil }
    // Frame lengths are not checked with several streams, as their framing is self-delimiting.
    return streams > 1 || Self.isWhole(packet, count) ? frames : nil
  }

  /// Returns the samples per frame at 48 kHz, 2.5 … 60 ms (RFC 6716, section 3.1).
  private static func frameSize(_ configuration: UInt8) -> Int {
    switch configuration {
    case 0..<12: configuration & 3 == 3 ? 2_880 : 480 << Int(configuration & 3)
    case 12..<16: 480 << Int(configuration & 1)
    default: 120 << Int(configuration & 3)
    }
  }

  /// True if the lengths of the `count` frames fit into the packet (RFC 6716, section 3.2).
  private static func isWhole(_ packet: Span<UInt8>, _ count: Int) -> Bool {
    let longest = 1_275
    switch packet[0] & 3 {
    case 0: return packet.count - 1 <= longest
    case 1: return packet.count & 1 == 1 && (packet.count - 1) / 2 <= longest
    case 2:
      var place = 1
      guard let first = frameLength(packet, at: &place) else { return false }
      return first <= packet.count - place && packet.count - place - first <= longest
    default:
      var place = 2
      var rest = packet.count
      var more = packet[1] & 0x40 != 0
      while more {
        guard place < packet.count else { return false }
        more = packet[place] == 255
        rest -= more ? 254 : Int(packet[place])
        place += 1
      }
      guard packet[1] & 0x80 != 0 else {
        return rest >= place && (rest - place) % count == 0 && (rest - place) / count <= longest
      }
      for _ in 1..<count {
        guard let length = frameLength(packet, at: &place) else { return false }
        rest -= length
      }
      return rest >= place && rest - place <= longest
    }
  }

  /// Reads a frame length of one or two bytes (RFC 6716, section 3.2.1).
  private static func frameLength(_ packet: Span<UInt8>, at place: inout Int) -> Int? {
    guard place < packet.count else { return nil }
    let first = Int(packet[place])
    place += 1
    guard first >= 252 else { return first }
    guard place < packet.count else { return nil }
    place += 1
    return first + 4 * Int(packet[place - 1])
  }
}
