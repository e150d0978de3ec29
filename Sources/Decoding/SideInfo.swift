/// Where the main data of a Layer III packet lies (ISO 11172-3 2.4.1.7, ISO 13818-3 2.4.1.7).
struct SideInfo {
  /// So many bytes before this packet's own its main data begins.
  let mainDataBegin: Int
  /// The packet's own main data, after header, CRC and side information; empty where the packet is too short.
  let mainData: UnsafeBufferPointer<UInt8>

  /// Reads eight bytes of `packet`, however short it is.
  init(_ packet: UnsafePointer<UInt8>, byteCount: Int) {
    let isMpeg1 = packet[1] & 0x08 != 0
    let isMono = packet[3] >> 6 == 3
    let hasCRC = packet[1] & 0x01 == 0
    let start = hasCRC ? 6 : 4
    let length = isMpeg1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    let first = Int(packet[start])
    mainDataBegin = isMpeg1 ? first << 1 | Int(packet[start + 1] >> 7) : first
    mainData = UnsafeBufferPointer(start: packet + (start + length), count: max(0, byteCount - start - length))
  }
}
