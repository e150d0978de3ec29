import SeededRandom

/// Generated MPEG Layer III: each frame has its own quiet tone and decodes without the other frames.
public enum ToneMp3 {
  /// Returns `count` frames at a constant bit rate. The seed and the frame's number determine its tone. The only
  /// spectral line in a granule has the value ±1, coded with Huffman table 1 (ISO 11172-3, 2.4.1.7 and Annex B).
  public static func frames(
    _ count: Int, rate: Int = 44_100, channels: Int = 2, kilobits: Int = 128, seed: UInt64 = 1
  ) -> [UInt8] {
    var random = SeededGenerator(seed)
    return (0..<count).flatMap { _ in frame(rate, channels, kilobits, &random) }
  }

  /// Returns LAME's information packet for `count` frames at 128 kbit/s with `byteCount` bytes. A seek table ("Xing")
  /// declares a variable bit rate.
  public static func infoPacket(
    _ count: Int, byteCount: Int, delay: Int, padding: Int, table: [UInt8] = []
  ) -> [UInt8] {
    func number(_ value: Int, _ length: Int) -> [UInt8] {
      (0..<length).map { UInt8(value >> (8 * (length - 1 - $0)) & 255) }
    }
    var packet: [UInt8] = [0xFF, 0xFB, 0x90, 0x04] + [UInt8](repeating: 0, count: 413)
    var fields = Array((table.isEmpty ? "Info" : "Xing").utf8) + number(table.isEmpty ? 3 : 7, 4)
    fields += number(count, 4) + number(byteCount + packet.count, 4) + table
    fields += Array("LAME3.100".utf8) + [UInt8](repeating: 0, count: 12) + number(delay << 12 | padding, 3)
    packet.replaceSubrange(36..<36 + fields.count, with: fields)
    return packet
  }

  /// Returns `count` equal frames of 576 samples at 16 kHz, mono: a tone with seven cycles per frame.
  public static func hum(_ count: Int) -> [UInt8] {
    var steady = SteadyNumbers()
    let frame = frame(16_000, 1, 32, &steady)
    return (0..<count).flatMap { _ in frame }
  }

  private struct SteadyNumbers: RandomNumberGenerator {
    mutating func next() -> UInt64 { 31 }
  }

  private static func frame(
    _ rate: Int, _ channels: Int, _ kilobits: Int, _ random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let isLow = rate < 32_000
    let rates = [44_100, 48_000, 32_000]
    let bitRates = isLow ? low : high
    guard let rateIndex = rates.firstIndex(of: isLow ? rate * 2 : rate), let speed = bitRates.firstIndex(of: kilobits)
    else { fatalError("no MPEG header tells \(rate) Hz and \(kilobits) kbit/s") }
    let byteCount = (isLow ? 72 : 144) * kilobits * 1000 / rate
    var side = BitWriter()
    var sound = BitWriter()
    side.put(0, isLow ? 8 : 9)
    side.put(0, isLow ? channels : channels == 1 ? 5 : 3)
    if !isLow { side.put(0, 4 * channels) }
    for _ in 0..<((isLow ? 1 : 2) * channels) { granule(isLow: isLow, &side, &sound, &random) }
    let header: [UInt8] = [
      0xFF, isLow ? 0xF3 : 0xFB, UInt8(speed + 1) << 4 | UInt8(rateIndex) << 2, channels == 1 ? 0xC4 : 0x04,
    ]
    let frame = header + side.bytes + sound.bytes
    return frame + [UInt8](repeating: 0, count: byteCount - frame.count)
  }

  private static func granule(
    isLow: Bool, _ side: inout BitWriter, _ sound: inout BitWriter,
    _ random: inout some RandomNumberGenerator
  ) {
    let pair = Int(random.next() % 24)
    side.put(pair + 3, 12)  // part2_3_length
    side.put(pair + 1, 9)  // big_values
    side.put(176 + Int(random.next() % 16), 8)  // global_gain: -51 to -29 dB
    side.put(0, isLow ? 9 : 4)  // no scale factors
    side.put(0, 1)  // long blocks
    for table in [1, 0, 0] { side.put(table, 5) }
    side.put(15, 4)
    side.put(7, 3)
    side.put(0, isLow ? 2 : 3)
    for _ in 0..<pair { sound.put(1, 1) }
    sound.put(1, 2)
    sound.put(Int(random.next() & 1), 1)
  }

  private static let high = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
  private static let low = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
}

/// Generated ADTS AAC-LC: silence, mono.
public enum SilentAac {
  /// Returns `count` frames of 1,024 samples. `rateIndex` as in ADTS headers: 4 for 44,100 Hz, 11 for 8,000 Hz.
  public static func frames(_ count: Int, rateIndex: UInt8) -> [UInt8] {
    var sound = BitWriter()
    sound.put(0, 3)  // single channel element
    sound.put(0, 4 + 8 + 1 + 2 + 1 + 6 + 1)  // long window, no bands, no prediction
    sound.put(0, 3)  // no pulses, no noise shaping, no gain control
    sound.put(7, 3)  // end element
    let byteCount = sound.bytes.count + 7
    let header: [UInt8] = [
      0xFF, 0xF1, 0x40 | rateIndex << 2, 0x40, UInt8(byteCount >> 3), UInt8(byteCount & 7) << 5 | 0x1F, 0xFC,
    ]
    return (0..<count).flatMap { _ in header + sound.bytes }
  }
}
