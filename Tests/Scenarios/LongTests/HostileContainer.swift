import MediaSupport
import SeededRandom
import TestSupport
import Testing

struct HostileContainer: CustomTestStringConvertible, Sendable {
  enum Outcome: Sendable {
    case sounds(Double)
    case fails
    case either
  }

  var testDescription: String
  var type: String
  var bytes: [UInt8]
  var outcome: Outcome
  var manner = Manner.live

  enum Manner: Sendable {
    /// The bytes once, then a stall.
    case live
    /// The bytes once, then repeated at this many bytes a second.
    case endless(Double)
    case file
    /// A file whose last bytes never arrive, in any response. The value is their number.
    case short(Int)
  }

  init(_ name: String, _ type: String, _ bytes: [UInt8], _ outcome: Outcome, _ manner: Manner = .live) {
    (testDescription, self.type, self.bytes, self.outcome, self.manner) = (name, type, bytes, outcome, manner)
  }

  func station() throws -> ScriptedStation {
    let (bytes, type) = (bytes, type)
    switch manner {
    case .live: return try ScriptedStation([.live(type: type), .send(bytes), .stall])
    case .endless(let rate):
      let again = StationAction.pace((0..<40).flatMap { _ in bytes }, perSecond: rate, burst: 0)
      return try ScriptedStation([.live(type: type), .send(bytes), again, .stall])
    case .file: return try ScriptedStation(FileServer(bytes, type: type))
    case .short(let count):
      let file = FileServer(bytes, type: type)
      return try ScriptedStation(tail: { file.actions(for: $0, most: 100) }) { visit in
        let from = visit.header("Range").flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
        return file.actions(for: visit, most: max(0, bytes.count - count - from))
      }
    }
  }
}

extension HostileContainer {
  private static let seconds = 4.0
  private static let music = Music(frames: 4 * 48_000, rate: 48_000, noise: 0.01, seed: 70)
  private static let opus = EncodedMusic(music, .opus())
  private static let vorbis = EncodedMusic(music, .vorbis)
  private static let flac = EncodedMusic(music, .flac())
  private static let wav = WavWriter().file(music).bytes

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Every third page has a wrong checksum.
  private static func damaged(_ music: EncodedMusic) -> [UInt8] {
    let link = OggLink(music, packetsPerPage: 3)
    return link.pages.enumerated().reduce(into: link.head) { all, page in
      var bytes = page.element.bytes
      if page.offset % 3 == 1 { bytes[bytes.count / 2] ^= 0x10 }
      all += bytes
    }
  }

  /// Links of 0.1 s with different serial numbers, and different headers unless `areAlike`.
  private static func links(_ count: Int, areAlike: Bool) -> [UInt8] {
    (0..<count).flatMap { number in
      var writer = OggWriter(UInt32(truncatingIfNeeded: number &* 2_654_435_761))
      let skip = areAlike ? 312 : number % 500
      writer.add(Array("OpusHead".utf8) + [1, 2] + little(skip, 2) + little(48_000, 4) + [0, 0, 0], granule: 0)
      writer.endPage()
      let title = Array("TITLE=\(number % 10)".utf8)
      writer.add(Array("OpusTags".utf8) + little(0, 4) + little(1, 4) + little(title.count, 4) + title, granule: 0)
      writer.endPage()
      for (index, packet) in opus.packets.prefix(5).enumerated() {
        writer.add(packet.bytes, granule: (index + 1) * 960)
      }
      writer.endPage(isLast: true)
      return writer.pages.flatMap(\.bytes)
    }
  }

  private static func endlessPacket(_ byteCount: Int) -> [UInt8] {
    let lacing = [UInt8](repeating: 255, count: 255)
    return (0..<byteCount / 65_307).flatMap { number in
      let flags = number == 0 ? 0 : OggWriter.continued
      let body = [UInt8](repeating: 0x40, count: 255 * 255)
      return OggWriter.page(1, UInt32(number + 2), flags, granule: -1, lacing, body)
    }
  }

  /// Opus with a comment of `byteCount` bytes.
  private static func comments(_ byteCount: Int) -> [UInt8] {
    OggLink(opus, comments: ["METADATA_BLOCK_PICTURE=" + String(repeating: "A", count: byteCount)]).bytes
  }

  /// FLAC whose STREAMINFO contradicts its frames from `place` on.
  private static func flac(_ place: Int, _ bytes: [UInt8]) -> [UInt8] {
    var all = flac.flac(isSized: false)
    all.replaceSubrange(8 + place..<8 + place + bytes.count, with: bytes)
    return all
  }

  private static func wav(_ place: Int, _ bytes: [UInt8], inserts: Bool = false) -> [UInt8] {
    var all = wav
    all.replaceSubrange(place..<(inserts ? place : place + bytes.count), with: bytes)
    return all
  }

  private static let ogg = "application/ogg"
  private static let beginnings = (0..<20_000).flatMap { _ in Array("OggS\u{0}\u{2}".utf8) }
  private static let chunk = Array("junk".utf8) + [240, 255, 255, 255]

  static let wrong: [HostileContainer] = [
    HostileContainer("Vorbis, a page in three damaged", ogg, damaged(vorbis), .sounds(2)),
    HostileContainer("Opus, a page in three damaged", ogg, damaged(opus), .sounds(2)),
    HostileContainer("FLAC in Ogg, a page in three damaged", ogg, damaged(flac), .sounds(2)),
    HostileContainer("FLAC of 8 kHz, by its head", "audio/flac", flac(10, [0x01, 0xF4, 0x02, 0xF0]), .either),
    HostileContainer("FLAC of 20 bits, by its head", "audio/flac", flac(12, [0x03, 0x30]), .either),
    HostileContainer("FLAC of no rate", "audio/flac", flac(10, [0, 0, 0x02]), .either),
    HostileContainer(
      "FLAC of tiny blocks, by its head", "audio/flac", flac(0, [0, 16, 0, 16, 0, 0, 1, 0, 0, 2]), .either),
    HostileContainer("FLAC of blocks of none", "audio/flac", flac(0, [0, 0, 0, 0]), .either),
    HostileContainer("FLAC of five samples", "audio/flac", flac(13, [0xF0, 0, 0, 0, 5]), .either, .file),
    HostileContainer("FLAC of 2^36 samples", "audio/flac", flac(13, [0xFF, 255, 255, 255, 255]), .sounds(3), .file),
    HostileContainer(
      "WAV, a chunk of 4 GB first", "audio/wav", wav(12, chunk, inserts: true),
      .fails),
    HostileContainer(
      "WAV, the same as a file", "audio/wav", wav(12, chunk, inserts: true), .fails,
      .file),
    HostileContainer("WAV, a format of 4 GB", "audio/wav", wav(16, [240, 255, 255, 255]), .fails),
    HostileContainer("WAV, a format of no bytes", "audio/wav", wav(16, [0, 0, 0, 0]), .fails),
    HostileContainer("WAV of 65,535 channels", "audio/wav", wav(22, [255, 255]), .fails),
    HostileContainer("WAV of no channels", "audio/wav", wav(22, [0, 0]), .fails),
    HostileContainer("WAV of 4 GHz", "audio/wav", wav(24, [255, 255, 255, 255]), .fails),
    HostileContainer("WAV of no rate", "audio/wav", wav(24, [0, 0, 0, 0]), .fails),
    HostileContainer("WAV of frames without bytes", "audio/wav", wav(32, [0, 0]), .either),
    HostileContainer("WAV of three bytes of data", "audio/wav", wav(40, [3, 0, 0, 0]), .either, .file),
    HostileContainer("WAV of 2 GB of data", "audio/wav", wav(40, [255, 255, 255, 0x7E]), .sounds(3), .file),
  ]

  static let endless: [HostileContainer] = [
    HostileContainer("numbers that change for ever", ogg, links(300, areAlike: true), .sounds(25)),
    HostileContainer("set-ups that change for ever", ogg, links(300, areAlike: false), .either),
    HostileContainer("a file of 300 links", ogg, links(300, areAlike: true), .sounds(25), .file),
    HostileContainer("a picture of 600 KB", ogg, comments(600_000), .sounds(3)),
    HostileContainer("a picture of 600 KB in a file", ogg, comments(600_000), .sounds(3), .file),
    HostileContainer(
      "a packet without end", ogg, OggLink(opus).head + endlessPacket(1 << 20), .fails, .endless(20_000)),
    HostileContainer(
      "a packet without end, behind sound", ogg, OggLink(opus).bytes + endlessPacket(1 << 20), .sounds(3),
      .endless(20_000)),
    HostileContainer("heads without end", ogg, OggLink(opus).head, .fails, .endless(4_000)),
    HostileContainer(
      "beginnings of pages", ogg, beginnings, .fails, .endless(16_000)),
    HostileContainer(
      "a head of FLAC without end", "audio/flac",
      Array(flac.flac().prefix(42)) + [0, 0, 0, 34] + [UInt8](repeating: 7, count: 34), .fails, .endless(4_000)),
  ]

  static let cut: [HostileContainer] = {
    var random = SeededGenerator(77)
    let whole: [(String, String, [UInt8])] = [
      ("Vorbis", ogg, OggLink(vorbis).bytes), ("Opus", ogg, OggLink(opus).bytes),
      ("FLAC in Ogg", ogg, OggLink(flac).bytes), ("FLAC", "audio/flac", flac.flac()), ("WAV", "audio/wav", wav),
    ]
    return whole.flatMap { name, type, bytes in
      [20, 60, 400, bytes.count / 2].flatMap { most -> [HostileContainer] in
        let count = Int.random(in: most / 2..<most, using: &random)
        let outcome = count > bytes.count / 5 ? Outcome.sounds(0.5) : .either
        return [
          HostileContainer("\(name), the first \(count) bytes", type, Array(bytes.prefix(count)), outcome, .file),
          HostileContainer(
            "\(name), \(bytes.count - count) bytes missing", type, bytes, outcome, .short(bytes.count - count)),
        ]
      }
    }
  }()
}
