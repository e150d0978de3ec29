/// The position of a Layer III packet's main data (ISO 11172-3 2.4.1.7, ISO 13818-3 2.4.1.7).
struct SideInfo {
  /// The number of main data bytes that precede this packet.
  let mainDataBegin: Int
  /// The main data bytes in this packet, after header, CRC and side information; empty if the packet is too short.
  let mainData: UnsafeBufferPointer<UInt8>
  /// True if the packet has its header, CRC and side information.
  let isWhole: Bool
  /// The main data bytes that the packet's granules use; 0 if the packet is too short.
  let soundByteCount: Int

  /// The first eight bytes of `packet` must be readable, even if the packet is shorter.
  init(_ packet: UnsafePointer<UInt8>, byteCount: Int) {
    let isMpeg1 = packet[1] & 0x08 != 0
    let isMono = packet[3] >> 6 == 3
    let hasCRC = packet[1] & 0x01 == 0
    let start = hasCRC ? 6 : 4
    let length = isMpeg1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    let begin = Int(packet[start])
    mainDataBegin = isMpeg1 ? begin << 1 | Int(packet[start + 1] >> 7) : begin
    mainData = UnsafeBufferPointer(start: packet + (start + length), count: max(0, byteCount - start - length))
    isWhole = byteCount >= start + length
    guard isWhole else {
      soundByteCount = 0
      return
    }
    let first = 8 * start + (isMpeg1 ? (isMono ? 18 : 20) : (isMono ? 9 : 10))
    var bits = 0
    for part in 0..<(isMpeg1 ? 2 : 1) * (isMono ? 1 : 2) {
      bits += Self.twelveBits(packet, at: first + part * (isMpeg1 ? 59 : 63))
    }
    soundByteCount = (bits + 7) / 8
  }

  /// Reads a granule's length (part2_3_length).
  private static func twelveBits(_ packet: UnsafePointer<UInt8>, at bit: Int) -> Int {
    let bytes = packet + bit / 8
    let word = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
    return word >> (12 - bit % 8) & 0xFFF
  }
}
