import Units

@testable import Framing

/// Searches a joined MP3 file for its parts. The bytes choose parts, tags and damage.
final class PartSearching: FuzzTarget {
  static let name = "parts"
  static let longest = 200
  static let seeds: [[UInt8]] = [
    [0, 0, 9, 0, 200, 1, 5, 3, 0, 0], [1, 0, 9, 0, 200, 0, 5, 7, 0, 2, 40], [0, 9, 0, 90, 2, 14, 1, 0, 1, 1, 2, 0],
    [1, 30, 5, 1, 0, 3, 9, 4, 0, 0, 7, 7, 7],
  ]
  /// Packets of each bit rate of MPEG-1 Layer III at 44.1 kHz, without padding.
  private static let packets: [[UInt8]] = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320].enumerated()
    .map { index, kilobits in
      [0xFF, 0xFB, UInt8(index + 1) << 4, 0x44] + [UInt8](repeating: 0x11, count: 144_000 * kilobits / 44_100 - 4)
    }

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let answers = recipe.number(0...21)
    let stated = recipe.flag() ? recipe.number(0...60_000) : 0
    let file = Self.file(&recipe)
    var meter = FileMeter()
    var framer = PacketFramer()
    var place = 0
    while place < min(file.count, 12_000) {
      place += framer.append(file.span.extracting(place..<min(file.count, 12_000)))
      while framer.next({ _ = meter.process($0, $1) }) == .packet {}
    }
    let end = file.span.extracting(max(0, file.count - TrailingTags.tailByteCount)..<file.count)
    let tail = max(stated, TrailingTags.byteCount(in: end))
    guard var finder = meter.partFinder(total: file.count, tail: tail) else { return }
    var (count, byteCount) = (0, 0)
    while let probe = finder.probe {
      guard count < answers else {
        finder.stop()
        break
      }
      expect(
        probe.byte >= 0 && probe.byteCount > 0 && probe.byte + probe.byteCount <= file.count,
        "a probe lies within the file")
      count += 1
      byteCount += probe.byteCount
      let part = file.span.extracting(probe.byte..<probe.byte + probe.byteCount)
      finder.process(PartSample(part, at: probe.byte, total: file.count))
    }
    expect(count <= PartFinder.maxProbes && byteCount <= PartFinder.maxByteCount, "a search is bounded")
    expect(finder.probe == nil && finder.outcome != nil, "a search ends with a result")
    if case .parts(let parts)? = finder.outcome { check(parts, meter, file.count) }
  }

  private func check(_ parts: [SoundPart], _ meter: FileMeter, _ total: Int) {
    for (part, next) in zip(parts, parts.dropFirst()) {
      expect(part.end <= next.firstByte && part.time <= next.time, "parts follow each other")
    }
    expect(parts.allSatisfy { $0.firstByte >= 0 && $0.firstByte <= $0.end && $0.end <= total }, "parts are in the file")
    guard let map = meter.map(of: parts) else { return }
    var last = StreamTime.zero - map.lead
    for step in 0...50 {
      let byte = total / 50 * step
      let time = map.time(at: byte)
      expect(time >= last, "later bytes have later times")
      last = time
      let place = map.byte(at: StreamTime(seconds: Double(step * step)))
      expect(place >= 0 && place <= total, "each time has a byte of the file")
    }
  }

  private static func file(_ recipe: inout Recipe) -> [UInt8] {
    var file: [UInt8] = []
    for _ in 0..<12 where !recipe.isOver && file.count < 1 << 20 {
      switch recipe.number(0...6) {
      case 0, 1: append(&file, &recipe, header: nil)
      case 2: append(&file, &recipe, header: "Info")
      case 3: append(&file, &recipe, header: "Xing")
      case 4:
        let count = recipe.number(0...40_000)
        file += Array("ID3".utf8) + [4, 0, 0] + (0..<4).map { UInt8(count >> (21 - 7 * $0) & 0x7F) }
        file += [UInt8](repeating: 0x41, count: recipe.flag() ? count : count / 2)
      case 5: file += footer(recipe.number(0...1 << 20))
      default:
        var noise = Noise(recipe.byte())
        for _ in 0..<recipe.number(0...9_000) { file.append(noise.byte()) }
      }
    }
    return file
  }

  /// Footer of an APE tag that states `count` bytes.
  private static func footer(_ count: Int) -> [UInt8] {
    let size = (0..<4).map { UInt8(count >> (8 * $0) & 0xFF) }
    return Array("APETAGEX".utf8) + [0xD0, 0x07, 0, 0] + size + [1, 0, 0, 0] + [UInt8](repeating: 0, count: 12)
  }

  private static func append(_ file: inout [UInt8], _ recipe: inout Recipe, header: String?) {
    let packet = recipe.pick(packets)
    let other = recipe.flag() ? recipe.pick(packets) : packet
    let count = recipe.number(1...1_000)
    let sound = (0..<count).flatMap { $0 % 5 == 0 ? other : packet }
    if let header {
      func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
      // Some figures are wrong.
      let (packets, bytes) = (count - recipe.pick([0, 0, 1, -7]), sound.count + recipe.pick([417, 417, 0, -5_000]))
      var first: [UInt8] = [0xFF, 0xFB, 0x90, 0x44] + [UInt8](repeating: 0, count: 413)
      let fields = Array(header.utf8) + [0, 0, 0, 3] + number(packets) + number(max(0, bytes))
      first.replaceSubrange(36..<36 + fields.count, with: fields)
      file += first
    }
    file += sound
  }
}
