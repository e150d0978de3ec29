import DecoderBench
import Testing

@Suite("Decoded files", .corpora)
struct DecodedFileTests {
  static let files =
    [
      Corpora.files("mp3-conformance", "bit", "mp3"), Corpora.files("aac", "aac"), Corpora.files("mp3-extra", "mp3"),
      Corpora.files("media3", "mp3", "aac", "adts"), Corpora.files("tags", "mp3"),
    ].flatMap(\.self).filter { !leftOut.contains($0.name) }

  /// One says that it is SSR, which libfaad does not know; one has a hole, behind which libmad would go on.
  static let leftOut: Set = ["bbb_1ch_8kHz_aac_lc.aac", "apev2-lyricsv2.mp3"]

  @Test func noneIsLeftOut() { #expect(Self.files.count == 107) }

  @Test(arguments: files)
  func everyFileSoundsAsWithTheLibraries(path: String) throws {
    let programme = Programme(try Corpora.bytes(path))
    let heard = hear(programme.packets)
    #expect(heard.allSatisfy { $0.peak <= 8_388_608 && $0.samples.count <= 4096 })
    // libmad goes on with the first bit rate of free format; a packet tells its own.
    guard !path.hasSuffix("l2-nonstandard-fl1_fl2_ff.bit") else { return }
    let reference = Reference(programme, .bits24)
    let places = Set(programme.packets.map(\.info.byteOffset))
    // What libmad tries between the packets, and where libfaad looks for them behind a tag, is no matter.
    let isAdts = ["aac", "adts"].contains(path.kind)
    let theirs = reference.frames.filter { places.contains($0.offset) || isAdts }.map(\.heard)
    #expect(theirs.count >= heard.count)
    #expect(zip(heard, theirs).enumerated().filter { $1.0 != $1.1 }.map(\.offset) == [])
  }
}
