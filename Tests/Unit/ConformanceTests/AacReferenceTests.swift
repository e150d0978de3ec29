import DecoderBench
import Decoding
import Testing
import Units

/// Compares AAC streams, decoded for a 16-bit sink, with the PCM of an independent decoder (FFmpeg). Streams in MP4
/// files are first converted to ADTS.
@Suite("AAC references", .corpora)
struct AacReferenceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let file: String
    /// Number of reference frames before libfaad's first output; libfaad delays its output by one packet. Negative if
    /// an MP4 file's edit list has cut the reference.
    let lag: Int
    var decibels: [ClosedRange<Double>] = [95...(.infinity)]
    var testDescription: String { file }

    init(_ file: String, lag: Int) {
      self.file = file
      self.lag = lag
    }

    /// A stream that libfaad and FFmpeg decode differently, with the agreement in dB for each version of libfaad.
    init(_ file: String, lag: Int, near figures: Double...) {
      self.init(file, lag: lag)
      decibels = figures.map { $0 - 1...$0 + 1.5 }
    }
  }

  static let adts = [
    Row("id3v1.aac", lag: 1024), Row("id3v2.aac", lag: 1024),
    Row("tones_afconvert_16000_mono_aac_he.aac", lag: 2048), Row("tones_afconvert_16000_stereo_aac_lc.aac", lag: 1024),
    Row("tones_afconvert_44100_mono_aac_lc.aac", lag: 1024), Row("tones_afconvert_44100_stereo_aac_lc.aac", lag: 1024),
    Row("tones_faac_16000_mono_aac_lc.aac", lag: 0), Row("tones_faac_16000_stereo_aac_lc.aac", lag: 0),
  ]

  static let lc = [
    Row("102400samples_qt-lc-aac.m4a", lag: -1088), Row("440hz-10ms.mp4", lag: -1088),
    Row("al04_44.mp4", lag: 1024), Row("al05_44.mp4", lag: 1024), Row("square3.m4a", lag: -1088),
    Row("tones_afconvert_16000_mono_aac_lc.m4a", lag: -1088),
    Row("tones_faac_44100_mono_aac_lc.mp4", lag: 0), Row("tones_faac_44100_stereo_aac_lc.mp4", lag: 0),
    Row("tones_nero_16000_mono_aac_lc.mp4", lag: -1600), Row("tones_nero_16000_stereo_aac_lc.mp4", lag: -1600),
    Row("tones_nero_44100_mono_aac_lc.mp4", lag: -1600), Row("tones_nero_44100_stereo_aac_lc.mp4", lag: -1600),
    // A tenth of its samples differ by one step of 16 bits.
    Row("aac-2048-priming.mp4", lag: -1024, near: 79.23),
  ]

  static let heV1 = [
    Row("tones_afconvert_16000_stereo_aac_he.m4a", lag: -64), Row("tones_afconvert_44100_stereo_aac_he.m4a", lag: -64),
    Row("tones_nero_16000_mono_aac_he.mp4", lag: -288), Row("tones_nero_16000_stereo_aac_he.mp4", lag: -288),
    // The residue in pauses differs by a few steps.
    Row("tones_nero_44100_mono_aac_he.mp4", lag: -288, near: 74.68),
    Row("tones_nero_44100_stereo_aac_he.mp4", lag: -288, near: 78.81),
  ]

  // libfaad 2.10, and 2.11 if the value differs.
  static let heV2 = [
    Row("tones_nero_16000_stereo_aac_he2.mp4", lag: -760, near: 71.94, 69.66),
    Row("tones_nero_44100_stereo_aac_he2.mp4", lag: -760, near: 94.37, 73.48),
    // Two packets differ in one channel.
    Row("al_sbr_ps_04_new.mp4", lag: 2048, near: 44.41),
    // After silence, libfaad starts some 20 ms late.
    Row("tones_afconvert_16000_stereo_aac_he2.m4a", lag: -64, near: 20.31),
    Row("tones_afconvert_44100_stereo_aac_he2.m4a", lag: -64, near: 22.03),
  ]

  static let all = adts + lc + heV1 + heV2

  /// Files with more than two channels, which Bakelite mixes down, or with 960 frames per packet, which ADTS cannot
  /// express.
  static let leftOut: Set = ["al06_44.mp4", "al15_44.mp4", "am05_44.mp4", "al04sf_48.mp4"]

  @Test func noneIsLeftOutUnsaid() {
    let files = Set(Corpora.files("aac-reference-pcm", "gz").map { $0.stem.dropLast(".s16le".count) }.map(String.init))
    #expect(files == Self.leftOut.union(Self.all.map(\.file)))
    #expect(Self.all.count == 32)
    #expect(Set(Self.adts.map(\.file)) == files.filter { $0.kind == "aac" })
  }

  @Test(arguments: all)
  func soundsAsTheReference(row: Row) throws {
    let facts = try #require(AacFacts.all["aac/" + row.file])
    let reference = Pcm(
      s16: try Corpora.unpacked("aac-reference-pcm/" + row.file + ".s16le.gz"), channels: facts.ch)
    #expect(reference.frameCount == facts.samples)
    let file = try Corpora.bytes("aac/" + row.file)
    let heard = decodePackets(Programme(row.file.kind == "aac" ? file : try Mp4Track(file).adts()).packets, .bits16)
    #expect(heard.allSatisfy { $0.error == nil })
    #expect(Set(heard.compactMap(\.rate)) == [SampleRate(facts.rate)])

    let pcm = Pcm(heard)
    let lag = pcm.lag(of: reference, within: 4096)
    #expect(lag == row.lag)
    #expect(pcm.overlap(with: reference, lag: lag).count == reference.frameCount - max(0, lag))
    let snr = pcm.snr(against: reference, lag: lag)
    #expect(row.decibels.contains { $0.contains(snr) }, "\(snr)")
    Figures.tell("AAC ", row.file, "SNR " + Figures.decibels(snr), "lag \(lag)", facts.profile)
  }
}
