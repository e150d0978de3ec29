import Framing
import Testing

/// A codec is believed after a row of headers (R4.5).
struct HeaderRowTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var packet: [UInt8]
    var other: [UInt8]?
    /// Minimum number of packets in a row that are believed in other data.
    var count: Int
  }

  static let rows = [
    Row(testDescription: "Layer III", packet: Build.mpeg(), count: 5),
    Row(testDescription: "Layer II", packet: Build.mpeg(layer: 2, bitRate: 4), count: 5),
    Row(testDescription: "Layer I", packet: Build.mpeg(layer: 1, bitRate: 1), count: 33),
    Row(testDescription: "AAC", packet: Build.adts(), count: 5),
    Row(testDescription: "free format", packet: Build.free(byteCount: 300), count: 9),
    Row(testDescription: "long AAC", packet: Build.adts(byteCount: 5_000), count: 3),
    Row(testDescription: "long free format", packet: Build.free(byteCount: 4_900), count: 4),
  ]

  @Test("Audio in other data needs a minimum row of headers (R4.5)", arguments: rows)
  func inOtherData(row: Row) {
    let noise = Build.quiet(3_000, seed: 5)
    for count in 1..<row.count {
      let packets = (0..<count).flatMap { _ in row.packet }
      #expect(Framed(noise + packets + noise + packets + noise).packets.isEmpty, "\(count) packets")
    }
    let packets = (0...row.count).flatMap { _ in row.packet }
    #expect(Framed(noise + packets + noise, step: 900).packets.count >= row.count)
  }

  @Test("Headers that differ in layer, rate or channels make no row (R4.5)")
  func differing() {
    let others = [Build.mpeg(layer: 2), Build.mpeg(rate: 1), Build.mpeg(mode: 3), Build.adts(), Build.mpeg(version: 2)]
    for other in others {
      let mixed = (0..<20).flatMap { $0 % 2 == 0 ? Build.mpeg() : other }
      #expect(Framed(Build.quiet(500, seed: 6) + mixed + Build.quiet(500, seed: 7)).packets.isEmpty)
    }
  }

  @Test("A header of too many bytes ends its row, and the audio after it plays (R4.5)", arguments: [0, 300])
  func tooLongPacket(noise: Int) {
    let row = Build.adts(byteCount: 4_900) + Build.adts(byteCount: 4_900) + Build.adtsHeader(byteCount: 8_191)
    let audio = (0..<40).flatMap { _ in Build.mpeg() }
    let stream = Build.quiet(noise, seed: 3) + row + Build.quiet(20_000, seed: 4) + audio
    #expect(Framed(stream, step: 1_000).bytes.suffix(40) == Array(repeating: Build.mpeg(), count: 40)[...])
  }

  @Test("Two headers at the start of a stream prove no codec (R4.5)")
  func pairAtTheStart() {
    let noise = Build.quiet(3_000, seed: 8)
    for packet in [Build.mpeg(), Build.adts(), Build.free(byteCount: 300)] {
      #expect(Framed(packet + packet + noise).packets.isEmpty)
    }
  }

  @Test("A segment of packed AC-3 or E-AC-3 is refused by its codec, with and without a tag (R1.12)")
  func packedDolby() {
    let starts: [([UInt8], RefusedCodec)] = [
      ([0x0B, 0x77, 0x05, 0xBF, 0x3F, 0x86], .eac3), ([0x0B, 0x77, 0x01, 0x02, 0x14, 0x40], .ac3),
    ]
    for (start, codec) in starts {
      for tag in [[], Build.id3(Build.quiet(73, seed: 1)), Build.id3([1]) + Build.id3([2, 3])] {
        for step in [1, 7, 4_000] {
          let bytes = tag + start + Build.quiet(4_000, seed: 2)
          var reader = ContainerReader()
          var place = 0
          var lateAudio = 0
          while place < bytes.count {
            let isRefused = reader.refusal != nil
            let piece = bytes[place..<min(bytes.count, place + step)]
            reader.read(piece.span) {
              if isRefused { lateAudio += $0.count }
            } tag: { _ in
            }
            place += step
          }
          let refusal = reader.refusal
          #expect(refusal == codec && lateAudio == 0)
        }
      }
    }
  }

  @Test("Programs, fonts and archives are not audio, and other codecs are refused (R1.12)")
  func otherFiles() {
    let starts: [(String, ContentKind)] = [
      ("\u{7F}ELF\u{2}\u{1}", .unknown), ("OTTO", .unknown), ("ttcf", .unknown), ("wOF2", .unknown),
      ("SQLite format 3\0", .unknown), ("!<arch>\n", .unknown), ("Rar!\u{1A}", .unknown),
      ("\0\u{1}\0\0\0\u{F}", .unknown), ("FORM\0\0\0\u{9}ILBM", .unknown),
      ("wvpk", .refused(.otherCodec)), ("MAC ", .refused(.otherCodec)), ("TTA1", .refused(.otherCodec)),
      ("#!AMR\n", .refused(.otherCodec)), ("MThd", .refused(.midi)), ("caff", .refused(.coreAudio)),
    ]
    for (start, kind) in starts {
      let bytes = Array(start.utf8) + Build.quiet(300, seed: 1) + PacketFramerTests.mp3.flatMap { $0 }
      #expect(
        ContentSniffer.sniff(bytes.span, isWhole: true, contentType: "audio/mpeg", path: "/a.mp3") == kind, "\(start)")
    }
  }
}
