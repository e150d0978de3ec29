import SeededRandom
import Testing

@testable import HomeAssistant

/// Packets that a broker may send, checked before libmosquitto reads them.
struct PacketFilterTests {
  static let connack: [UInt8] = [0x20, 2, 0, 0]

  static func publish(_ count: Int) -> [UInt8] {
    let length = count < 128 ? [UInt8(count)] : [UInt8(count & 0x7F | 0x80), UInt8(count >> 7)]
    return (count >= 16_384 ? [0x30, 0x80, 0x80, UInt8(count >> 14)] : [0x30] + length)
      + [UInt8](repeating: 0x61, count: count)
  }

  @Test("Whole packets are counted, and missing bytes known, for any pieces")
  func pieces() throws {
    let answers: [UInt8] = [0xD0, 0, 0x90, 3, 0, 1, 0]
    let stream = Self.connack + Self.publish(5) + answers + Self.publish(300) + Self.publish(16_384)
    var random = SeededGenerator(7)
    for _ in 0..<50 {
      var (filter, start) = (PacketFilter(), 0)
      while start < stream.count {
        let end = min(stream.count, start + Int.random(in: 1...400, using: &random))
        try filter.pass(stream[start..<end])
        start = end
      }
      #expect(filter.packets == 6 && filter.missing == 0)
    }
    var filter = PacketFilter()
    try filter.pass([0x30, 0x85])
    #expect(filter.missing == 1)
    try filter.pass([0x01, 0])
    #expect(filter.missing == 132)
  }

  @Test(
    "An unexpected packet is refused at its first bytes",
    arguments: [
      [0x32], [0x34], [0x36], [0x38], [0x10], [0x00], [0xFF], [0x40], [0x62], [0xE0], [0x21], [0xD1], [0x20, 3],
      [0xD0, 1],
      [0x90, 17], [0x30, 0xFF, 0xFF, 0xFF, 0x7F], [0x30, 0x81, 0x80, 0x01], [0x30, 0x80, 0x80, 0x80, 0x80],
      [0x30, 0xFF, 0xFF, 0x03], Array("HTTP/1.1 400".utf8), Array("SSH-2.0".utf8),
    ] as [[UInt8]])
  func refused(_ bytes: [UInt8]) {
    var filter = PacketFilter()
    #expect(throws: BrokerFault.garbage) { try filter.pass(bytes[...]) }
  }
}
