/// The CRC of a Layer III packet: over the last two header bytes and the side information (ISO 11172-3 2.4.3.1).
enum Layer3Checksum {
  /// Returns true if a packet's CRC is correct, or if its side information is incomplete.
  static func isRight(_ packet: UnsafePointer<UInt8>, byteCount: Int, _ header: Layer3Header) -> Bool {
    let end = 6 + (header.isMpeg1 ? (header.isMono ? 17 : 32) : (header.isMono ? 9 : 17))
    guard byteCount >= end else { return true }
    var crc: UInt16 = 0xFFFF
    for index in 2..<end where index != 4 && index != 5 {
      crc ^= UInt16(packet[index]) << 8
      for _ in 0..<8 { crc = crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x8005 }
    }
    return crc == UInt16(packet[4]) << 8 | UInt16(packet[5])
  }
}
