import SeededRandom

/// FLAC made by code (RFC 9639): noise of one channel, its samples as they are, so that all packets are nearly as long.
public enum PlainFlac {
  /// Samples of a packet; each is longer than a block of the ring.
  public static let packetSamples = 4_608
  /// Samples in a second.
  public static let rate = 32_000
  /// Seconds of a packet.
  public static let packetSeconds = Double(packetSamples) / Double(rate)
  /// Bytes of a packet at most, for fewer than 65,536 packets.
  public static let packetByteCount = 2 * packetSamples + 11

  /// What stands before the packets, and tells how many there are; 0 where nobody knows.
  public static func head(packetCount: Int = 0) -> [UInt8] {
    var info = BitWriter()
    info.put(packetSamples, 16)
    info.put(packetSamples, 16)
    info.put(0, 48)
    info.put(rate, 20)
    info.put(0, 3)
    info.put(15, 5)
    info.put(packetCount * packetSamples, 36)
    return Array("fLaC".utf8) + [0x80, 0, 0, 34] + info.bytes + [UInt8](repeating: 0, count: 16)
  }

  /// So many packets; their noise follows from `seed`.
  public static func packets(_ count: Int, seed: UInt64) -> [[UInt8]] {
    var random = SeededGenerator(seed)
    return (0..<count).map { packet($0, &random) }
  }

  private static func packet(_ number: Int, _ random: inout SeededGenerator) -> [UInt8] {
    // Blocks of one size, 4,608 samples, 32 kHz, one channel, 16 bits.
    var packet: [UInt8] = [0xFF, 0xF8, 0x58, 0x08] + coded(number)
    packet.append(UInt8(crc(packet, 8)))
    // A subframe whose samples are as they are.
    packet.append(0x02)
    var place = 0
    while place < packetSamples {
      // Quiet.
      let sample = Int16(truncatingIfNeeded: random.next()) >> 5
      packet.append(UInt8(truncatingIfNeeded: sample >> 8))
      packet.append(UInt8(truncatingIfNeeded: sample))
      place += 1
    }
    let sum = crc(packet, 16)
    return packet + [UInt8(sum >> 8), UInt8(sum & 0xFF)]
  }

  /// A number as UTF-8 codes it.
  private static func coded(_ number: Int) -> [UInt8] {
    precondition(number < 1 << 16, "numbers that need three bytes at most")
    if number < 1 << 7 { return [UInt8(number)] }
    let low = UInt8(0x80 | number & 0x3F)
    if number < 1 << 11 { return [UInt8(0xC0 | number >> 6), low] }
    return [UInt8(0xE0 | number >> 12), UInt8(0x80 | number >> 6 & 0x3F), low]
  }

  /// The sum of a header, 8 bits, or that of a packet, 16.
  private static func crc(_ bytes: [UInt8], _ width: Int) -> Int {
    let table = width == 8 ? table8 : table16
    let mask = 1 << width - 1
    return bytes.withUnsafeBufferPointer { bytes in
      var (sum, place) = (0, 0)
      while place < bytes.count {
        sum = (sum << 8 ^ table[sum >> (width - 8) ^ Int(bytes[place])]) & mask
        place += 1
      }
      return sum
    }
  }

  private static let (table8, table16) = (table(0x07, 8), table(0x8005, 16))

  private static func table(_ polynomial: Int, _ width: Int) -> [Int] {
    (0..<256).map { byte in
      (0..<8).reduce(byte << (width - 8)) { sum, _ in
        (sum << 1 ^ (sum >> (width - 1) & 1 == 0 ? 0 : polynomial)) & (1 << width - 1)
      }
    }
  }
}
