import Foundation
import Http
import MediaSupport
import RadioEngine
import RadioSupport
import SinkBench
import TestSupport
import Testing
import Units

/// The links of a chain play without a gap, each with its title (C1).
@Suite struct ChainTests {
  /// Three links with the same rate and borders inside packets.
  struct Chain: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var links: [OggLink]

    init(_ name: String, _ forms: [EncodedMusic.Codec], rates: [Int] = [48_000, 48_000, 48_000], seconds: Double = 2) {
      testDescription = name
      links = zip(forms, rates).enumerated().map { index, part in
        let frames = Int(Double(part.1) * seconds) + 1_000 + 379 * index
        let cut = if case .flac = part.0 { 0 } else { 200 + 111 * index }
        let music = EncodedMusic(Music(frames: frames, rate: part.1, seed: UInt64(60 + index)), part.0, cut: cut)
        return OggLink(music, "Song \(index)", serial: UInt32(70 + index), packetsPerPage: 7)
      }
    }

    var bytes: [UInt8] { links.flatMap(\.bytes) }
    var pcm: [UInt8] { links.flatMap(\.music.pcm) }
    var duration: Double { links.reduce(0) { $0 + $1.music.duration } }

    var starts: [Double] {
      links.dropLast().reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.music.duration) }
    }
  }

  static let chains = [
    Chain("Vorbis", [.vorbis, .vorbis, .vorbis]),
    Chain("Opus", [.opus(), .opus(), .opus()]),
    Chain("Opus of different packets", [.opus(block: 2_880), .opus(block: 240), .opus()]),
    Chain("FLAC", [.flac(), .flac(), .flac()]),
    Chain("FLAC of different packets", [.flac(block: 1_152), .flac(bits: 24), .flac(block: 16_384)]),
    Chain("Opus, FLAC, Vorbis", [.opus(), .flac(), .vorbis]),
    Chain("Vorbis, Opus, Vorbis", [.vorbis, .opus(), .vorbis]),
    Chain("Vorbis, short", [.vorbis, .vorbis, .vorbis], seconds: 0.1),
  ]

  private static func source(_ chain: Chain, _ kind: String, in folder: TemporaryFolder) throws -> (
    ScriptedStation, String
  ) {
    let bytes = chain.bytes
    let station =
      kind == "live"
      ? try ScriptedStation([.live(type: "application/ogg"), .send(bytes)])
      : try ScriptedStation(FileServer(bytes, type: "audio/ogg"))
    let local = try WebAddress(filePath: folder.write(bytes, to: "chain.ogg")).url.unredacted
    return (station, kind == "local" ? local : station.url("/chain.ogg"))
  }

  private static func titles(_ rig: RadioRig) -> [(text: String, at: Double)] {
    rig.events("metadataChanged").compactMap { event in
      if case .metadataChanged(let title, let at) = event { (title.text, at) } else { nil }
    }
  }

  @Test(
    "Three links play as one piece, to the sample, each title from its link's first sample (C1)",
    arguments: chains, ["live", "HTTP", "local"])
  func gapless(chain: Chain, kind: String) async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let (station, url) = try Self.source(chain, kind, in: folder)
      defer { station.close() }
      let rig = try RadioRig(format: "s24le/48000/2")
      rig.tune(url) { $0.retry = .times(0) }
      #expect(rig.playOut(), "\(rig.names)")
      #expect(rig.names.contains("fileComplete") == (kind != "live"), "\(rig.names)")
      let (told, starts) = (Self.titles(rig), chain.starts)
      #expect(told.map(\.text) == ["Song 0", "Song 1", "Song 2"])
      for (title, start) in zip(told, starts) { #expect(abs(title.at - start) < 1e-6, "\(title)") }
      let summary = rig.radio.close()
      #expect(abs(summary.heard - chain.duration) < 1e-3 && summary.lost == 0)
      #expect(difference(rig.pcm, chain.pcm) == nil)
    }
  }

  @Test("A link without a title ends the previous title (C1)", arguments: ["live", "HTTP", "local"])
  func untitled(kind: String) async throws {
    try await Stage.run {
      var chain = Self.chains[3]
      chain.links[1] = OggLink(chain.links[1].music, serial: 71)
      let folder = TemporaryFolder()
      let (station, url) = try Self.source(chain, kind, in: folder)
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(url) { $0.retry = .times(0) }
      #expect(rig.playOut(), "\(rig.names)")
      let (told, starts) = (Self.titles(rig), chain.starts)
      #expect(told.map(\.text) == ["Song 0", "", "Song 2"])
      for (title, start) in zip(told, starts) { #expect(abs(title.at - start) < 1e-6, "\(title)") }
    }
  }

  @Test("A link reached by a seek has its title before the goal too", arguments: ["HTTP", "local"])
  func soughtBack(kind: String) async throws {
    try await Stage.run(speed: 4) {
      let chain = Chain("FLAC", [.flac(), .flac(), .flac()], seconds: 8)
      let folder = TemporaryFolder()
      let (station, url) = try Self.source(chain, kind, in: folder)
      defer { station.close() }
      let rig = try RadioRig.seeking(in: url, rate: 48_000)
      for goal in [22.0, 18] {
        rig.radio.seek(to: goal)
        #expect(rig.next("seekDone") != nil)
        let isNamed = rig.run { rig.radio.status.title?.text == "Song 2" && rig.radio.status.position > goal + 0.3 }
        #expect(isNamed, "\(goal)")
        #expect(rig.radio.status.position < goal + 2)
      }
    }
  }

  @Test("A list's name for a file stays after a seek, without delaying other links' titles")
  func listed() async throws {
    try await Stage.run(speed: 4) {
      let bytes = Chain("FLAC", [.flac(), .flac()], seconds: 8).bytes
      let station = try ScriptedStation { visit in
        visit.path == "/list.m3u"
          ? StationAction.response("200 OK", "#EXTM3U\n#EXTINF:16,A name\nchain.ogg\n", type: "audio/x-mpegurl")
          : FileServer(bytes, type: "audio/ogg").actions(for: visit)
      }
      defer { station.close() }
      let rig = try RadioRig.seeking(in: station.url("/list.m3u"), rate: 48_000)
      for (goal, title) in [(6.0, "A name"), (12, "Song 1"), (3, "A name")] {
        rig.radio.seek(to: goal)
        #expect(rig.next("seekDone") != nil)
        let isNamed = rig.run { rig.radio.status.title?.text == title && rig.radio.status.position > goal + 0.2 }
        #expect(isNamed, "\(goal)")
        #expect(rig.radio.status.position < goal + 1.5)
      }
      let came = rig.events("metadataReceived").filter {
        if case .metadataReceived(let title) = $0 { title.text == "Song 0" } else { false }
      }
      #expect(came.isEmpty)
    }
  }

  @Test("Tags without a title do not end a title from the stream")
  func serverTitles() async throws {
    try await Stage.run {
      let music = EncodedMusic(Music(frames: 96_000, rate: 48_000, seed: 65), .flac())
      // The server's first title is inside the FLAC header.
      let bytes = Icy.interleave(music.flac(isSized: false), metaint: 48, titles: [(at: 0, text: "Band - Song")])
      let station = try ScriptedStation([.live("icy-metaint: 48", type: "audio/flac"), .send(bytes)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.playOut(), "\(rig.names)")
      #expect(Self.titles(rig).map(\.text) == ["Band - Song"])
    }
  }

  @Test("Tags without a title do not end a stream's title after an earlier tag title")
  func serverTitlesAfterTags() async throws {
    try await Stage.run {
      let music = EncodedMusic(Music(frames: 96_000, rate: 48_000, seed: 65), .flac())
      let (first, second) = (music.flac(["TITLE=Tag"], isSized: false), music.flac(isSized: false))
      let bytes = Icy.interleave(first + second, metaint: 4_096, titles: [(at: first.count / 2, text: "Band - Song")])
      let station = try ScriptedStation([.live("icy-metaint: 4096", type: "audio/flac"), .send(bytes)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.playOut(), "\(rig.names)")
      #expect(Self.titles(rig).map(\.text) == ["Tag", "Band - Song"])
    }
  }

  @Test(
    "The ICY title at tune-in of an Ogg station is shown after that of the tags",
    arguments: [EncodedMusic.Codec.vorbis, .opus(), .flac()], [64, 1_024, 8_192])
  func serverTitleAtStart(codec: EncodedMusic.Codec, metaint: Int) async throws {
    try await Stage.run {
      let music = EncodedMusic(Music(frames: 192_000, rate: 48_000, seed: 66), codec)
      let link = OggLink(music, "Start", serial: 80, packetsPerPage: 50)
      let bytes = Icy.interleave(link.bytes, metaint: metaint, titles: [(at: 0, text: "Band - Now")])
      let station = try ScriptedStation([.live("icy-metaint: \(metaint)", type: "application/ogg"), .send(bytes)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.playOut(), "\(rig.names)")
      #expect(Self.titles(rig).map(\.text) == ["Start", "Band - Now"])
    }
  }

  @Test("Of two titles for the first packet of a later link, the tags' title is shown")
  func serverTitleAtLink() async throws {
    try await Stage.run {
      let links = Self.chains[1].links
      let border = links[0].bytes.count
      let titles = [(at: 0, text: "Song 0"), (at: border + 20, text: "Server")]
      let bytes = Icy.interleave(links[0].bytes + links[1].bytes, metaint: 16, titles: titles)
      let station = try ScriptedStation([.live("icy-metaint: 16", type: "application/ogg"), .send(bytes)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.playOut(), "\(rig.names)")
      #expect(Self.titles(rig).map(\.text) == ["Song 0", "Song 1"])
    }
  }

  @Test("A title is shown while its link plays, live in real time")
  func shown() async throws {
    try await Stage.run(speed: 2) {
      let chain = Self.chains[5]
      let station = try ScriptedStation([.live(type: "application/ogg"), .send(chain.bytes), .stall])
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url()) { $0.liveAhead = StreamTime(seconds: 300) }
      try #require(rig.next("playing") != nil)
      var seen: [(text: String, position: Double)] = []
      #expect(
        rig.run {
          if let text = rig.radio.status.title?.text, text != seen.last?.text {
            seen.append((text, rig.radio.status.position))
          }
          return rig.radio.status.position > 5.5
        })
      #expect(seen.map(\.text) == ["Song 0", "Song 1", "Song 2"])
      for (title, start) in zip(seen, chain.starts) {
        #expect(rig.holdsUnlessLate(title.position >= start - 0.01 && title.position < start + 0.5), "\(title)")
      }
    }
  }

  @Test("Links with other rates lose no sample: a card plays each at its own rate (C1)", arguments: ["live", "local"])
  func otherRates(kind: String) async throws {
    try await Stage.run(speed: 2) {
      let chain = Chain("", [.flac(), .flac(), .flac()], rates: [44_100, 48_000, 44_100], seconds: 1.5)
      let folder = TemporaryFolder()
      let (station, url) = try Self.source(chain, kind, in: folder)
      defer { station.close() }
      let card = BenchCard()
      let rig = try RadioRig(InterruptionBench.settings, to: card.output)
      rig.tune(url) { $0.retry = .times(0) }
      #expect(rig.playOut(within: 30), "\(rig.names)")
      let told = Self.titles(rig)
      #expect(told.map(\.text) == ["Song 0", "Song 1", "Song 2"])
      for (title, start) in zip(told, chain.starts) { #expect(abs(title.at - start) < 1e-6, "\(title)") }
      _ = rig.radio.close()
      // The upper 16 of 24 bits.
      let fine = chain.pcm
      let expected = stride(from: 0, to: fine.count, by: 3).flatMap { fine[$0 + 1...$0 + 2] }
      #expect(
        rig.holdsUnlessLate(difference(card.playedPcm, expected) == nil),
        "\(difference(card.playedPcm, expected) ?? "")")
    }
  }

  @Test("A sink with one rate gets converted links of unchanged duration", arguments: ["live", "HTTP"])
  func converted(kind: String) async throws {
    try await Stage.run {
      let chain = Chain("", [.vorbis, .opus(), .flac()], rates: [44_100, 48_000, 96_000])
      let folder = TemporaryFolder()
      let (station, url) = try Self.source(chain, kind, in: folder)
      defer { station.close() }
      let rig = try RadioRig(format: "s24le/44100/2")
      rig.tune(url) { $0.retry = .times(0) }
      #expect(rig.playOut(), "\(rig.names)")
      _ = rig.radio.close()
      #expect(difference(Array(rig.pcm.prefix(chain.links[0].music.pcm.count)), chain.links[0].music.pcm) == nil)
      let frames = Double(rig.pcm.count / S24Samples.frameByteCount)
      let parts = chain.links.map { $0.music.duration * 44_100 }
      #expect(abs(frames - chain.duration * 44_100) < 4, "\(frames) of \(parts)")
    }
  }

  @Test("The audio of a film plays, and the rest of the multiplex is skipped (C1)", arguments: ["live", "HTTP"])
  func multiplexed(kind: String) async throws {
    try await Stage.run {
      let link = Self.chains[0].links[0]
      // A picture stream: 30 pages between the audio pages.
      var pictures = OggWriter(9)
      pictures.add([0x80] + Array("theora".utf8) + [UInt8](repeating: 3, count: 35), granule: 0)
      pictures.endPage()
      for number in 0..<30 {
        pictures.add([UInt8](repeating: UInt8(number), count: 20_000), granule: number)
        pictures.endPage()
      }
      var bytes = pictures.pages[0].bytes + link.head
      for (number, page) in link.pages.enumerated() {
        bytes += page.bytes
        if number + 1 < pictures.pages.count { bytes += pictures.pages[number + 1].bytes }
      }
      let station =
        kind == "live"
        ? try ScriptedStation([.live(type: "video/ogg"), .send(bytes)])
        : try ScriptedStation(FileServer(bytes, type: "video/ogg"))
      defer { station.close() }
      let rig = try RadioRig(format: "s24le/48000/2")
      rig.tune(station.url("/film.ogv")) { $0.retry = .times(0) }
      #expect(rig.playOut(), "\(rig.names)")
      _ = rig.radio.close()
      #expect(difference(rig.pcm, link.music.pcm) == nil)
    }
  }
}
