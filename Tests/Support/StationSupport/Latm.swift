import MediaSupport

/// AAC in LATM frames with LOAS headers (ISO 14496-3, 1.7). Each frame contains the configuration.
public enum Latm {
  /// Converts an ADTS clip.
  public static func stream(_ clip: Clip) -> [UInt8] { stream(clip.packets) }

  /// Converts ADTS packets.
  public static func stream(_ packets: [Clip.Packet]) -> [UInt8] { packets.flatMap { frame($0.bytes) } }

  private static func frame(_ packet: [UInt8]) -> [UInt8] {
    let payload = packet.dropFirst(packet[1] & 1 == 0 ? 9 : 7)
    var element = BitWriter()
    // New configuration, version 0, same time framing, one subframe, one programme, one layer.
    for (value, width) in [(0, 1), (0, 1), (1, 1), (0, 6), (0, 4), (0, 3)] { element.put(value, width) }
    // AudioSpecificConfig: object type, rate, channels; frames of 1,024 samples.
    let channels = Int(packet[2] & 1) << 2 | Int(packet[3] >> 6)
    for (value, width) in [(Int(packet[2] >> 6) + 1, 5), (Int(packet[2] >> 2 & 15), 4), (channels, 4), (0, 3)] {
      element.put(value, width)
    }
    // Variable frame length, full buffer, no other data, no checksum.
    for (value, width) in [(0, 3), (0xFF, 8), (0, 1), (0, 1)] { element.put(value, width) }
    for _ in 0..<payload.count / 255 { element.put(255, 8) }
    element.put(payload.count % 255, 8)
    for byte in payload { element.put(Int(byte), 8) }
    let count = element.bytes.count
    return [0x56, 0xE0 | UInt8(count >> 8), UInt8(count & 0xFF)] + element.bytes
  }
}
