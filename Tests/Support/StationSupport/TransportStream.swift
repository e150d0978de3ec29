/// MPEG transport streams with AAC, as in segments of HLS stations (ISO 13818-1).
public enum TransportStream {
  private static let (mapPID, soundPID): (UInt16, UInt16) = (0x1000, 0x100)

  /// Returns a segment with its tables and one PES packet for each ADTS packet.
  public static func segment(_ sound: [UInt8]) -> [UInt8] {
    var stream = unit(0, [0] + section(0, bytes(1) + bytes(mapPID | 0xE000)))
    let map = bytes(soundPID | 0xE000) + bytes(0xF000) + [0x0F] + bytes(soundPID | 0xE000) + bytes(0xF000)
    stream += unit(mapPID, [0] + section(2, map))
    var counter: UInt8 = 0
    for packet in Clip(sound).packets {
      let told = bytes(UInt16(packet.bytes.count + 3))
      stream += unit(soundPID, [0, 0, 1, 0xC0] + told + [0x84, 0, 0] + packet.bytes, &counter)
    }
    return stream
  }

  private static func unit(_ pid: UInt16, _ unit: [UInt8]) -> [UInt8] {
    var counter: UInt8 = 0
    return self.unit(pid, unit, &counter)
  }

  /// Splits a unit into transport packets. An adaptation field fills the last packet.
  private static func unit(_ pid: UInt16, _ unit: [UInt8], _ counter: inout UInt8) -> [UInt8] {
    var (stream, rest): ([UInt8], ArraySlice<UInt8>) = ([], unit[...])
    while !rest.isEmpty {
      let payload = rest.prefix(184)
      let room = 184 - payload.count
      stream += [0x47] + bytes((rest.count == unit.count ? 0x4000 : 0) | pid)
      stream.append((room > 0 ? 0x30 : 0x10) | counter)
      if room > 0 { stream.append(UInt8(room - 1)) }
      if room > 1 { stream += [0] + [UInt8](repeating: 0xFF, count: room - 2) }
      stream += payload
      rest = rest.dropFirst(payload.count)
      counter = (counter + 1) & 15
    }
    return stream
  }

  private static func section(_ table: UInt8, _ body: [UInt8]) -> [UInt8] {
    let section = [table] + bytes(UInt16(body.count + 9) | 0xB000) + bytes(1) + [0xC1, 0, 0] + body
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in section {
      for bit in (0..<8).reversed() {
        let isSet = (sum >> 31 ^ UInt32(byte >> bit & 1)) == 1
        sum = sum << 1 ^ (isSet ? 0x04C1_1DB7 : 0)
      }
    }
    return section + bytes(UInt16(sum >> 16)) + bytes(UInt16(sum & 0xFFFF))
  }

  private static func bytes(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
}
