import SeededRandom
import Testing

@testable import Framing

/// Tags after the samples of a file of PCM (C2).
struct TrailingChunksTests {
  struct Row: CustomTestStringConvertible {
    var testDescription: String
    var container = StreamContainer.wav
    var bytes: [UInt8]
    var tags = StreamTags(title: "A song", artist: "Me")
  }

  private static let list = WavBuild.list([("INAM", "A song"), ("IART", "Me")])

  private static func frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
    OggBytes.row(Array(name.utf8), AiffBuild.big(body.count, 4), [0, 0], body)
  }

  private static func id3(picture: Int = 0) -> [UInt8] {
    let texts = frame("TIT2", [3] + Array("A song".utf8)) + frame("TPE1", [3] + Array("Me".utf8))
    return Build.id3(texts + frame("APIC", [UInt8](repeating: 7, count: picture)), version: 3)
  }

  private static let peaks = WavBuild.chunk("LEVL", [1, 2, 3])

  static let rows: [Row] = [
    Row(testDescription: "a list", bytes: list),
    Row(testDescription: "a list after other chunks", bytes: peaks + WavBuild.chunk("LIST", Array("adtl".utf8)) + list),
    Row(testDescription: "a padding byte", bytes: [0] + list),
    Row(testDescription: "an ID3 tag", bytes: WavBuild.chunk("id3 ", id3())),
    Row(testDescription: "an ID3 tag in capitals", bytes: peaks + WavBuild.chunk("ID3 ", id3())),
    Row(
      testDescription: "an ID3 tag cut in its picture",
      bytes: Array(WavBuild.chunk("id3 ", id3(picture: 9_000)).prefix(200))),
    Row(
      testDescription: "two titles",
      bytes: list + WavBuild.chunk("id3 ", Build.id3(frame("TIT2", [3, 0x58]), version: 3))),
    Row(testDescription: "a second file", bytes: list + WavBuild.head() + WavBuild.list([("INAM", "Other")])),
    Row(testDescription: "no tags", bytes: peaks, tags: StreamTags()),
    Row(testDescription: "garbage", bytes: [1, 2, 3, 4, 5, 6, 7, 8, 9] + list, tags: StreamTags()),
    Row(testDescription: "nothing", bytes: [], tags: StreamTags()),
    Row(
      testDescription: "texts of AIFF", container: .aiff,
      bytes: AiffBuild.chunk("NAME", Array("A song".utf8)) + AiffBuild.chunk("AUTH", Array("Me".utf8))),
    Row(testDescription: "an ID3 tag in AIFF", container: .aiff, bytes: AiffBuild.chunk("ID3 ", id3())),
  ]

  @Test("Title and artist are found after the samples", arguments: rows)
  func tags(row: Row) { #expect(TrailingChunks.tags(in: row.bytes.span, of: row.container) == row.tags) }

  @Test("Chunks cut at any byte or with a wrong byte are harmless", arguments: rows)
  func damage(row: Row) {
    for count in 0...row.bytes.count {
      _ = TrailingChunks.tags(in: Array(row.bytes.prefix(count)).span, of: row.container)
    }
    var random = SeededGenerator(17)
    for _ in 0..<200 where !row.bytes.isEmpty {
      var bytes = row.bytes
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      for container in [StreamContainer.wav, .aiff] { _ = TrailingChunks.tags(in: bytes.span, of: container) }
    }
  }

  @Test("Only files of PCM have chunks after their samples")
  func otherContainers() {
    for container in [StreamContainer.packed, .latm, .transport, .fragments, .ogg, .flac] {
      #expect(TrailingChunks.tags(in: Self.list.span, of: container) == nil)
    }
  }

  @Test("An ID3 chunk before the samples is read as well", arguments: ["id3 ", "ID3 "])
  func beforeSamples(name: String) {
    let file = WavBuild.head() + WavBuild.chunk(name, Self.id3()) + WavBuild.chunk("data", WavReaderTests.sound)
    let reading = WavReaderTests.read(file)
    #expect(reading.tags == [StreamTags(title: "A song", artist: "Me")] && reading.skipped == 0)
    #expect(reading.bytes == WavReaderTests.cut(WavReaderTests.sound))
  }
}
