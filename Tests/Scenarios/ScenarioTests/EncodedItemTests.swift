import Http
import MediaSupport
import RadioEngine
import RadioSupport
import TestSupport
import Testing
import Units

/// WAV, AIFF, FLAC and Ogg of unknown length from a media server end like files (R1.5, M4).
@Suite struct EncodedItemTests {
  /// Response headers of Music Assistant (aiohttp).
  private static let media = [
    "transferMode.dlna.org: Streaming", "contentFeatures.dlna.org: DLNA.ORG_OP=00;DLNA.ORG_FLAGS=0170",
    "icy-name: Song",
  ]

  private static let music = Music(frames: 6 * 44_100 + 5, rate: 44_100, seed: 90)

  struct Item: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var type: String
    var sound: (bytes: [UInt8], pcm: [UInt8])

    init(_ name: String, _ type: String, _ sound: (bytes: [UInt8], pcm: [UInt8])) {
      (testDescription, self.type, self.sound) = (name, type, sound)
    }

    init(_ name: String, _ type: String, flac: EncodedMusic) {
      self.init(name, type, (flac.flac(isSized: false), flac.pcm))
    }

    init(_ name: String, ogg music: EncodedMusic) { self.init(name, "audio/ogg", (OggLink(music).bytes, music.pcm)) }
  }

  static let items = [
    // WAV as ffmpeg writes it to a pipe.
    Item("WAV", "audio/wav", WavWriter(told: .max).file(music)),
    Item("WAV of 24 bits, extensible", "audio/wav", WavWriter(bits: 24, isExtensible: true, told: .max).file(music)),
    Item("WAV that tells 0", "audio/x-wav", WavWriter(told: 0).file(music)),
    Item("AIFF", "audio/aiff", AiffWriter(isPipe: true).file(music)),
    Item("FLAC", "audio/flac", flac: EncodedMusic(music, .flac())),
    Item("FLAC of 24 bits", "audio/flac", flac: EncodedMusic(music, .flac(bits: 24))),
    Item("FLAC in Ogg", ogg: EncodedMusic(music, .flac())),
    Item("Vorbis", ogg: EncodedMusic(music, .vorbis, cut: 99)),
  ]

  private static func answer(_ item: Item, _ headers: [String], isChunked: Bool) -> [StationAction] {
    let told = headers + ["Content-Type: \(item.type)"]
    guard isChunked else { return [.head("200 OK", told), .send(item.sound.bytes)] }
    return [
      .head("200 OK", ["Transfer-Encoding: chunked"] + told), .text(String(item.sound.bytes.count, radix: 16) + "\r\n"),
      .send(item.sound.bytes), .text("\r\n0\r\n\r\n"),
    ]
  }

  @Test(
    "An item plays from one request to its last sample, then ends (C2, M4)", arguments: items,
    ["media server", "media server, in chunks", "client", "client, in chunks"])
  func isOver(item: Item, source: String) async throws {
    try await Stage.run {
      let isClient = source.hasPrefix("client")
      let station = try ScriptedStation { visit in
        visit.number == 0 ? Self.answer(item, isClient ? [] : Self.media, isChunked: source.hasSuffix("chunks")) : []
      }
      defer { station.close() }
      let rig = try RadioRig(format: "s24le/44100/2")
      rig.tune(station.url("/flow/song")) { $0.mayBeItem = isClient }
      #expect(rig.playOut(within: 30), "\(rig.names)")
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"] && rig.events.last?.event == .stopped(.end))
      #expect(station.visits.count == 1)
      _ = rig.radio.close()
      #expect(difference(rig.pcm, item.sound.pcm) == nil)
    }
  }

  @Test(
    "An item sent in real time has no length, and ends too", arguments: [items[0], items[4]])
  func slow(item: Item) async throws {
    try await Stage.run(speed: 4) {
      let rate = Double(item.sound.bytes.count) / 6
      let station = try ScriptedStation { visit in
        guard visit.number == 0 else { return [] }
        let pace = StationAction.pace(item.sound.bytes, perSecond: 1.1 * rate, burst: Int(2 * rate))
        return [.head("200 OK", Self.media + ["Content-Type: \(item.type)"]), pace]
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true, format: "s24le/44100/2")
      rig.tune(station.url("/flow/song"))
      try #require(rig.next("playing") != nil)
      #expect(rig.radio.status.facts?.isLive == false && rig.radio.duration == nil)
      #expect(rig.playOut(within: 30) && rig.names.suffix(2) == ["fileComplete", "stopped"], "\(rig.names)")
      _ = rig.radio.close()
      #expect(rig.holdsUnlessLate(difference(rig.pcm, item.sound.pcm) == nil))
    }
  }

  @Test("Each file of a list has its own title and codec from its first sample (C1, C2, M4)")
  func ownTitles() async throws {
    try await Stage.run(speed: 4) {
      let folder = TemporaryFolder()
      let short = Music(frames: 3 * 44_100, rate: 44_100, seed: 91)
      folder.write(EncodedMusic(short, .flac()).flac(["TITLE=Eins"]), to: "a.flac")
      folder.write(WavWriter().file(short).bytes, to: "b.wav")
      folder.write(OggLink(EncodedMusic(short, .vorbis), "Drei").bytes, to: "c.ogg")
      folder.write(OggLink(EncodedMusic(short, .flac())).bytes, to: "d.oga")
      folder.write(AiffWriter(title: "Fünf").file(short).bytes, to: "e.aiff")
      let list = folder.write(Array("a.flac\nb.wav\nc.ogg\nd.oga\ne.aiff\n".utf8), to: "list.m3u")
      let rig = try RadioRig(isPaced: true, format: "s16le/44100/2", bufferMilliseconds: 400)
      rig.tune(try WebAddress(filePath: list).url.unredacted)
      #expect(rig.playOut(within: 40), "\(rig.names)")
      var titles: [String] = []
      var files: [String] = []
      for case let (_, event) in rig.events {
        if case .metadataChanged(let title, _) = event { titles.append(title.text) }
        guard case .stationInfo(let info) = event else { continue }
        let (name, form) = (info.facts.url.split(separator: "/").last ?? "", info.facts.container?.name ?? "")
        let file = "\(name) \(info.codec) \(form)"
        if files.last != file { files.append(file) }
      }
      #expect(titles == ["Eins", "", "Drei", "", "Fünf"])
      #expect(files == ["a.flac FLAC flac", "b.wav PCM wav", "c.ogg Vorbis ogg", "d.oga FLAC ogg", "e.aiff PCM aiff"])
    }
  }
}
