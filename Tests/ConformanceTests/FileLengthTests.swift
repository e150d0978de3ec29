import DecoderBench
import Framing
import Testing

/// How long real files sound, told by their first packets and their last bytes (R11.2, old bug 1.16).
@Suite("Lengths of files", .corpora)
struct FileLengthTests {
  /// Seconds as decoders of others give them, without what LAME added; and by how much less than a packet may be meant.
  static let lengths: [(path: String, seconds: Double)] = [
    ("tags/antennapod-chapters/auphonic.mp3", 10.0),
    ("tags/antennapod-chapters/3sec.mp3", 3.0563),
    ("tags/antennapod-chapters/hindenburg-journalist-pro.mp3", 10.0310),
    ("tags/antennapod-chapters/mp3chaps-py.mp3", 12.1440),
    ("tags/antennapod-chapters/ffmpeg-txxx-comment.mp3", 5.9211),
    ("tags/mutagen/97-unknown-23-update.mp3", 3.7355),
    ("tags/mutagen/silence-44-s.mp3", 3.7355),
    ("tags/mutagen/silence-44-s-v1.mp3", 3.7355),
    ("tags/mutagen/silence-44-s-mpeg2.mp3", 3.6847),
    ("tags/mutagen/silence-44-s-mpeg25.mp3", 3.6848),
    ("media3/mp3/bear-cbr-constant-frame-size-no-seek-table.mp3", 2.7840),
    ("media3/mp3/bear-cbr-variable-frame-size-no-seek-table.mp3", 2.8212),
    ("media3/mp3/bear-vbr-xing-header.mp3", 2.7840),
    ("media3/mp3/bear-vbr-xing-header-no-toc.mp3", 2.7840),
    ("media3/mp3/sine-wave-cbr-trailing-id3v1.mp3", 1.0449),
    ("media3/mp3/test-cbr-info-header.mp3", 1.0),
    ("mp3-extra/gapless.mp3", 15.4848),
    ("mp3-extra/square3.mp3", 1.0),
  ]

  /// A file's map as its first 8 KB and its last bytes give it.
  private func map(_ bytes: [UInt8]) throws -> FileMap {
    var meter = FileMeter()
    for packet in Programme(bytes, step: 1_460).packets.prefix(20) { _ = meter.take(packet.info, packet.bytes.span) }
    let tail = Array(bytes.suffix(TrailingTags.tailByteCount))
    return try #require(meter.map(total: bytes.count, tail: TrailingTags.byteCount(in: tail.span)))
  }

  @Test("are right to a packet", arguments: lengths)
  func lengthIsRight(path: String, seconds: Double) throws {
    let map = try map(try Corpora.bytes(path))
    let length = try #require(map.length)
    #expect(abs(length.seconds - seconds) < 0.037, "\(path): \(length.seconds) s, \(map.basis)")
  }

  @Test("are the sum of their packets, without what LAME added, for all of one bit rate or with figures")
  func lengthIsTheSumOfPackets() throws {
    for path in Corpora.files("tags", "mp3") + Corpora.files("media3", "mp3") + Corpora.files("mp3-extra", "mp3") {
      let bytes = try Corpora.bytes(path)
      let packets = Programme(bytes, step: 1_460).packets
      guard packets.count > 20 else { continue }
      let map = try map(bytes)
      guard map.basis != .measured, let length = map.length else { continue }
      var meter = FileMeter()
      let sound = packets.filter { meter.take($0.info, $0.bytes.span) }
      let sum = sound.reduce(0.0) { $0 + $1.info.duration.seconds }
      let silence = map.isExact ? sum - length.seconds : map.lead.seconds
      #expect(abs(sum - silence - length.seconds) < max(0.06, sum / 100), "\(path): \(length.seconds) s of \(sum)")
    }
  }
}
