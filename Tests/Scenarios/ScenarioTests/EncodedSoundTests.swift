import Foundation
import Http
import MediaSupport
import RadioEngine
import RadioSupport
import TestSupport
import Testing
import Units

/// Ogg, FLAC, WAV and AIFF play sample-exact, live and as files (C1, C2).
@Suite struct EncodedSoundTests {
  /// A stream or file, and its PCM in 24 bits.
  struct Form: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var type: String
    var rate: Int
    var sound: (bytes: [UInt8], pcm: [UInt8])

    init(_ name: String, _ music: EncodedMusic, packetsPerPage: Int = 8) {
      (testDescription, type, rate) = (name, "application/ogg", music.rate)
      sound = (OggLink(music, packetsPerPage: packetsPerPage).bytes, music.pcm)
    }

    /// FLAC with or without a length, after an ID3v2 tag of `tag` bytes.
    init(_ name: String, native music: EncodedMusic, isSized: Bool = true, tag: Int = 0) {
      (testDescription, type, rate) = (name, "audio/flac", music.rate)
      let head = [0x49, 0x44, 0x33, 4, 0, 0, 0, UInt8(tag >> 14), UInt8(tag >> 7 & 127), UInt8(tag & 127)]
      sound = ((tag > 0 ? head + [UInt8](repeating: 0, count: tag) : []) + music.flac(isSized: isSized), music.pcm)
    }

    init(_ name: String, _ writer: WavWriter, rate: Int = 44_100) {
      (testDescription, type, self.rate) = (name, "audio/wav", rate)
      sound = writer.file(Music(frames: 2 * rate + 1, rate: rate, seed: 41))
    }

    init(_ name: String, _ writer: AiffWriter, rate: Int = 44_100) {
      (testDescription, type, self.rate) = (name, "audio/aiff", rate)
      sound = writer.file(Music(frames: 2 * rate + 1, rate: rate, seed: 42))
    }
  }

  private static func music(_ rate: Int, _ form: EncodedMusic.Codec, noise: Float = 0.05, cut: Int = 0) -> EncodedMusic
  {
    EncodedMusic(Music(frames: 2 * rate + 777, rate: rate, noise: noise, seed: 40), form, cut: cut)
  }

  static let forms = [
    Form("Vorbis", music(44_100, .vorbis, cut: 300)),
    Form("Vorbis, a packet to a page", music(44_100, .vorbis, cut: 1), packetsPerPage: 1),
    Form("Vorbis, pages as long as they can be", music(32_000, .vorbis), packetsPerPage: 1_000),
    Form("Opus", music(48_000, .opus(), cut: 500)),
    Form("Opus of 2.5 ms", music(48_000, .opus(block: 120)), packetsPerPage: 100),
    Form("Opus of 60 ms, pages of a second", music(48_000, .opus(block: 2_880), cut: 2_000), packetsPerPage: 17),
    Form("FLAC in Ogg", music(44_100, .flac())),
    Form("FLAC in Ogg, 24 bits, packets over pages", music(96_000, .flac(bits: 24, block: 16_384), noise: 0.4)),
    Form("FLAC", native: music(44_100, .flac())),
    Form("FLAC of unknown length", native: music(44_100, .flac()), isSized: false),
    Form("FLAC of 24 bits", native: music(44_100, .flac(bits: 24))),
    Form("FLAC of 24 bits at 96 kHz", native: music(96_000, .flac(bits: 24), noise: 0.4)),
    Form(
      "FLAC, packets longer than ten blocks", native: music(96_000, .flac(bits: 24, block: 16_384), noise: 0.4),
      isSized: false),
    Form("FLAC behind a long tag", native: music(44_100, .flac()), tag: 20_000),
    Form("FLAC, tiny packets", native: music(44_100, .flac(block: 16))),
    Form("WAV", WavWriter()),
    Form("WAV of 24 bits", WavWriter(bits: 24), rate: 96_000),
    Form("WAV of 32 bits", WavWriter(bits: 32)),
    Form("WAV of floating-point numbers", WavWriter(bits: 32, isFloat: true), rate: 48_000),
    Form("WAV, extensible", WavWriter(bits: 24, isExtensible: true)),
    Form("WAV, extensible, of floating-point numbers", WavWriter(bits: 32, isFloat: true, isExtensible: true)),
    Form("WAV that tells no length", WavWriter(told: 0)),
    Form("WAV that tells all bits set", WavWriter(bits: 24, told: .max)),
    Form("AIFF", AiffWriter()),
    Form("AIFF of 24 bits", AiffWriter(bits: 24), rate: 96_000),
    Form("AIFF of 32 bits", AiffWriter(bits: 32)),
    Form("AIFF-C, little-endian", AiffWriter(bits: 24, type: "sowt")),
    Form("AIFF-C of floating-point numbers", AiffWriter(bits: 32, type: "fl32"), rate: 48_000),
    Form("AIFF-C of floating-point numbers of 64 bits", AiffWriter(bits: 64, type: "fl64"), rate: 48_000),
    Form("AIFF without a length", AiffWriter(isPipe: true)),
  ]

  @Test(
    "The output equals the encoder's input, sample for sample (C1, C2)", arguments: forms,
    ["live", "HTTP", "local"])
  func exact(form: Form, source: String) async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let station =
        source == "live"
        ? try ScriptedStation([.live(type: form.type), .send(form.sound.bytes)])
        : try ScriptedStation(FileServer(form.sound.bytes, type: form.type))
      defer { station.close() }
      let local = try WebAddress(filePath: folder.write(form.sound.bytes, to: "sound")).url.unredacted
      let rig = try RadioRig(format: "s24le/\(form.rate)/2")
      rig.tune(source == "local" ? local : station.url("/sound")) { $0.retry = .times(0) }
      #expect(rig.playOut(), "\(rig.names)")
      #expect(rig.names.contains("fileComplete") == (source != "live"), "\(rig.names)")
      let seconds = Double(form.sound.pcm.count / S24Samples.frameByteCount) / Double(form.rate)
      if source == "local" { #expect(abs((rig.radio.duration ?? 0) - seconds) < 0.001) }
      let summary = rig.radio.close()
      #expect(abs(summary.heard - seconds) < 0.001 && summary.lost == 0)
      #expect(difference(rig.pcm, form.sound.pcm) == nil)
    }
  }

  @Test(
    "Short packets are decoded in time for a sink that fills its buffers",
    arguments: forms.filter { ["Opus of 2.5 ms", "FLAC, tiny packets"].contains($0.testDescription) })
  func shortPackets(form: Form) async throws {
    try await Stage.run(isAlone: true) {
      let station = try ScriptedStation(FileServer(form.sound.bytes, type: form.type))
      defer { station.close() }
      let rig = try RadioRig(isPaced: true, format: "s24le/\(form.rate)/2")
      let delay = ProcessorDelay()
      rig.tune(station.url("/sound"))
      #expect(rig.playOut(within: 10), "\(rig.names)")
      // The sink's buffer is 200 ms.
      let isBusy = delay.seconds > 0.2
      #expect(rig.holdsUnlessLate(rig.radio.status.underruns == 0, or: isBusy))
      _ = rig.radio.close()
      #expect(rig.holdsUnlessLate(difference(rig.pcm, form.sound.pcm) == nil, or: isBusy))
    }
  }

  @Test("A live station plays in any pieces, converted to the sink's rate, and is described")
  func pieces() async throws {
    try await Stage.run {
      for form in [Self.forms[0], Self.forms[5], Self.forms[7], Self.forms[8], Self.forms[15]] {
        let bytes = form.sound.bytes
        let parts = stride(from: 0, to: bytes.count, by: 1_009).map {
          StationAction.send(Array(bytes[$0...].prefix(1_009)))
        }
        let station = try ScriptedStation([.live(type: form.type)] + parts)
        defer { station.close() }
        let rig = try RadioRig()
        rig.tune(station.url()) { $0.retry = .times(0) }
        #expect(rig.playOut())
        guard case .stationInfo(let info)? = rig.events("stationInfo").first else {
          Issue.record("it is not told what \(form.testDescription) is")
          continue
        }
        #expect(info.sampleRate == form.rate && info.channels == 2 && rig.events("stationInfo").count == 1)
        _ = rig.radio.close()
        #expect(rig.pcm.count == form.sound.pcm.count / 3 * 2)
      }
    }
  }
}
