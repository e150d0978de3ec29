import Testing

@testable import Framing

@Suite struct MainDataTests {
  /// A header and side information for MPEG-1 or MPEG-2, mono or stereo, with or without a CRC.
  private static func packet(isMpeg1: Bool, isMono: Bool, hasCRC: Bool, begins: Int, count: Int = 200) -> [UInt8] {
    var packet: [UInt8] = [0xFF, (isMpeg1 ? 0xFA : 0xF2) | (hasCRC ? 0 : 1), 0x90, isMono ? 0xC0 : 0]
    if hasCRC { packet += [0xAB, 0xCD] }
    var side = [UInt8](repeating: 0xFF, count: isMpeg1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    side[0] = UInt8(isMpeg1 ? begins >> 1 : begins)
    if isMpeg1 { side[1] = UInt8(begins & 1) << 7 | 0x7F }
    packet += side
    return packet + [UInt8](repeating: 0x55, count: count - packet.count)
  }

  private static func main(_ bytes: [UInt8]) -> MainData? { MainData(bytes.span) }

  @Test("Main data is read from every kind of packet", arguments: [true, false], [true, false])
  func kinds(isMpeg1: Bool, hasCRC: Bool) throws {
    for isMono in [true, false] {
      for begins in [0, 1, 200, 255] + (isMpeg1 ? [256, 511] : []) {
        let bytes = Self.packet(isMpeg1: isMpeg1, isMono: isMono, hasCRC: hasCRC, begins: begins)
        let main = try #require(Self.main(bytes))
        #expect(main.earlierByteCount == begins)
        #expect(main.byteCount == bytes.count { $0 == 0x55 })
      }
    }
  }

  @Test(
    "A muted packet refers to no earlier data, and retains its main data", arguments: [true, false], [true, false])
  func mute(isMpeg1: Bool, hasCRC: Bool) throws {
    var bytes = Self.packet(isMpeg1: isMpeg1, isMono: false, hasCRC: hasCRC, begins: 200)
    var span = bytes.mutableSpan
    MainData.mute(&span, available: 600)
    let main = try #require(Self.main(bytes))
    #expect(main.earlierByteCount == (isMpeg1 ? 511 : 255))
    #expect(main.byteCount == bytes.count { $0 == 0x55 } + (hasCRC ? 2 : 0))
    #expect(bytes[1] & 1 == 1 && bytes.count == 200)
    #expect(bytes[6..<(4 + (isMpeg1 ? 32 : 17))].allSatisfy { $0 == 0 })
  }

  @Test("A truncated packet does not trap")
  func cut() {
    for count in 0..<40 {
      var bytes = Array(Self.packet(isMpeg1: true, isMono: false, hasCRC: true, begins: 7).prefix(count))
      let main = Self.main(bytes)
      #expect((main == nil) == (count < 38))
      var span = bytes.mutableSpan
      MainData.mute(&span, available: 0)
    }
  }

  @Test("Packets of one encoder continue each other", arguments: [true, false], [true, false])
  func continued(isMpeg1: Bool, isMono: Bool) throws {
    // Each granule has 8 × 4 bits; the side information begins with an earlier byte count.
    func packet(_ begins: Int) -> [UInt8] {
      var bytes = Self.packet(isMpeg1: isMpeg1, isMono: isMono, hasCRC: false, begins: begins)
      let count = isMpeg1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
      for index in 4 + (isMpeg1 ? 2 : 1)..<4 + count { bytes[index] = 0 }
      if isMpeg1 { bytes[5] &= 0x80 }
      let first = isMpeg1 ? (isMono ? 18 : 20) : (isMono ? 9 : 10)
      for part in 0..<(isMpeg1 ? 2 : 1) * (isMono ? 1 : 2) {
        let bit = first + part * (isMpeg1 ? 59 : 63) + 6
        bytes[4 + bit / 8] |= 0x80 >> UInt8(bit % 8)
      }
      return bytes
    }
    let sound = 32 * (isMpeg1 ? 2 : 1) * (isMono ? 1 : 2) / 8
    let main = try #require(Self.main(packet(10)))
    let left = 10 + main.byteCount - sound
    for (begins, isContinued) in [(0, true), (left, true), (left - 1, false), (left + 1, false), (3, false)] {
      #expect(main.isContinued(by: try #require(Self.main(packet(begins)))) == isContinued, "\(begins)")
    }
  }
}
