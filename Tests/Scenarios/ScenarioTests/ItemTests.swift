import Foundation
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// One-time responses of unknown length from a media server: a track, an announcement (R1.5, M4).
@Suite struct ItemTests {
  /// Response headers of Music Assistant (aiohttp).
  private static let media = [
    "transferMode.dlna.org: Streaming", "contentFeatures.dlna.org: DLNA.ORG_OP=00;DLNA.ORG_FLAGS=0170",
    "icy-name: Song",
  ]

  private static func answer(_ clip: Clip, _ headers: [String], isChunked: Bool, pace: Double? = nil) -> [StationAction]
  {
    let sound: StationAction = pace.map { .audio(clip, speed: $0, burst: 2) } ?? .send(clip.bytes)
    guard isChunked else { return [.head("200 OK", headers), sound] }
    let size = String(clip.bytes.count, radix: 16)
    return [
      .head("200 OK", ["Transfer-Encoding: chunked"] + headers), .text("\(size)\r\n"), sound,
      .text("\r\n0\r\n\r\n"),
    ]
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var headers: [String]
    var isChunked = true
    var mayBeItem = false
    var pace: Double?
  }

  private static let cases = [
    Case(testDescription: "Music Assistant's", headers: media),
    Case(testDescription: "the same, not in chunks", headers: media, isChunked: false),
    Case(testDescription: "the same, hardly faster than its sound", headers: media, pace: 1.1),
    Case(
      testDescription: "the same, with a false length", headers: media + ["Content-Length: 99"], isChunked: true),
    Case(testDescription: "a client's, in chunks", headers: [], mayBeItem: true),
    Case(testDescription: "a client's, not in chunks", headers: [], isChunked: false, mayBeItem: true),
  ]

  @Test("An item plays from one request, ends with it, and has no length before (M4)", arguments: cases)
  private func isOver(_ one: Case) async throws {
    try await Stage.run(speed: one.pace == nil ? 1 : 4) {
      for (clip, type) in [(Clip.mp3(6), "audio/mpeg"), (Clip.aac(6), "audio/aac")] {
        let station = try ScriptedStation { visit in
          visit.number == 0
            ? Self.answer(clip, one.headers + ["Content-Type: \(type)"], isChunked: one.isChunked, pace: one.pace) : []
        }
        defer { station.close() }
        let rig = try RadioRig(isPaced: one.pace != nil)
        rig.tune(station.url("/song")) { $0.mayBeItem = one.mayBeItem }
        try #require(rig.next("playing") != nil)
        if one.pace != nil {
          #expect(rig.radio.status.facts?.isLive == false && rig.radio.duration == nil, "nobody knows how long it is")
        }
        #expect(rig.playOut(within: 60))
        #expect(rig.names.suffix(2) == ["fileComplete", "stopped"] && rig.events.last?.event == .stopped(.end))
        #expect(station.visits.count == 1 && station.visits[0].head.hasPrefix("GET "), "\(station.visits.count)")
        _ = rig.radio.close()
        #expect(difference(rig.pcm, clip.pcm()) == nil)
      }
    }
  }

  @Test("An item's buffer is as large as a station's, because a break may be its end")
  func held() async throws {
    try await Stage.run {
      let clip = Clip.long(150)
      let station = try ScriptedStation { _ in Self.answer(clip, Self.media, isChunked: true) }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url("/song"))
      try #require(rig.next("playing") != nil)
      #expect(rig.run { rig.radio.status.held > 18 }, "\(rig.radio.status.held)")
      rig.run(for: 1)
      #expect(rig.radio.status.held < 60)
    }
  }

  @Test("An item with titles ends too")
  func titles() async throws {
    try await Stage.run {
      let clip = Clip.mp3(6)
      let station = try ScriptedStation { visit in
        visit.number > 0
          ? []
          : [
            .head("200 OK", ["Content-Type: audio/mpeg", "icy-metaint: 16000"] + Self.media),
            .send(Icy.interleave(clip.bytes, metaint: 16_000, titles: [(at: 0, text: "A - B")])),
          ]
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/flow"))
      #expect(rig.playOut() && rig.names.suffix(2) == ["fileComplete", "stopped"], "\(rig.names)")
      #expect(rig.events("metadataChanged").count == 1 && station.visits.count == 1)
    }
  }

  @Test("A broken item resumes if its server repeats it, and ends if it is gone")
  func breaksOff() async throws {
    try await Stage.run {
      let clip = Clip.mp3(8)
      for isGone in [false, true] {
        let station = try ScriptedStation { visit in
          if visit.number == 0 {
            let head = StationAction.head(
              "200 OK", ["Content-Type: audio/mpeg", "Transfer-Encoding: chunked"] + Self.media)
            return [head, .text("fffff\r\n"), .send(Array(clip.bytes.prefix(60_000))), .reset]
          }
          return isGone ? StationAction.response("404 Not Found") : Self.answer(clip, Self.media, isChunked: true)
        }
        defer { station.close() }
        let rig = try RadioRig()
        rig.tune(station.url("/song"))
        #expect(rig.playOut() && station.visits.count == 2, "\(rig.names)")
        #expect(rig.names.last == "stopped" && rig.names.contains("fileComplete") != isGone, "\(rig.names)")
        _ = rig.radio.close()
        if !isGone { #expect(difference(rig.pcm, clip.pcm()) == nil) }
      }
    }
  }

  @Test("A station requested by a client is retried, in chunks too")
  func station() async throws {
    try await Stage.run(speed: 4) {
      for (headers, pace) in [([], 1), (["icy-name: FM"], nil)] as [([String], Double?)] {
        let one = try ScriptedStation { visit in
          Self.answer(Clip.mp3(5, from: visit.number * 200), headers, isChunked: true, pace: pace)
        }
        defer { one.close() }
        let rig = try RadioRig(isPaced: true)
        rig.tune(one.url()) { $0.mayBeItem = true }
        #expect(rig.run(40) { one.visits.count >= 2 } && rig.radio.state != .stopped)
      }
    }
  }
}
