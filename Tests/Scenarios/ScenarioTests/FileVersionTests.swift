import Http
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

/// Hosts that assemble a file at each visit, or redirect to addresses that expire (R11.2).
@Suite struct FileVersionTests {
  private static let show = ToneMp3.frames(2_000, seed: 5)
  private static let shortAd = ToneMp3.frames(200, seed: 6)
  private static let longAd = ToneMp3.frames(400, seed: 7)

  private func play(
    _ station: ScriptedStation, start: Double = 0, _ check: (RadioRig) throws -> Void
  ) throws {
    let rig = try RadioRig()
    rig.tune(station.url("/episode.mp3")) {
      $0.dataTimeout = Duration(milliseconds: 2_000)
      $0.start = StreamTime(seconds: start)
    }
    #expect(rig.playOut(within: 60))
    _ = rig.radio.close()
    try check(rig)
  }

  struct Host: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var etag = false
    var ranges = true
    var swapsAds = false
  }

  static let hosts = [
    Host(testDescription: "longer advertisement"), Host(testDescription: "longer advertisement, tags", etag: true),
    Host(testDescription: "shorter advertisement", swapsAds: true),
    Host(testDescription: "shorter advertisement, tags", etag: true, swapsAds: true),
    Host(testDescription: "no ranges", etag: true, ranges: false),
  ]

  @Test("Another version continues at the same packets", arguments: hosts)
  func samePackets(_ host: Host) async throws {
    try await Stage.run(speed: 4) {
      let bodies = host.swapsAds ? [Self.longAd, Self.shortAd] : [Self.shortAd, Self.longAd]
      let files = bodies.enumerated().map { index, ad in
        var file = FileServer(ad + Self.show)
        file.etag = host.etag ? "\"\(index)\"" : nil
        file.supportsRanges = host.ranges
        if !host.ranges { file.headers = ["Accept-Ranges: bytes"] }
        return file
      }
      let station = try ScriptedStation(tail: { files[1].actions(for: $0) }) {
        $0.number == 0 ? files[0].actions(for: $0, most: 400_123) + [.reset] : files[1].actions(for: $0)
      }
      defer { station.close() }
      try play(station) { rig in
        #expect(rig.names.contains("fileComplete") && !rig.names.contains("badContent"))
        let stitches = rig.events("stitched")
        #expect(stitches.count == 1)
        for case .stitched(_, let lost, let isExact, _) in stitches { #expect(isExact && lost == 0) }
        #expect(difference(rig.pcm, Clip(bodies[0] + Self.show).pcm()) == nil)
        #expect(station.visits.count <= 4)
      }
    }
  }

  @Test("A version without the same packets continues at the same time, and the change is reported")
  func sameTime() async throws {
    try await Stage.run(speed: 4) {
      let (old, new) = (FileServer(Self.show), FileServer(ToneMp3.frames(2_100, seed: 99)))
      let station = try ScriptedStation(tail: { new.actions(for: $0) }) {
        $0.number == 0 ? old.actions(for: $0, most: 400_123) + [.reset] : new.actions(for: $0)
      }
      defer { station.close() }
      try play(station) { rig in
        #expect(rig.names.contains("fileComplete") && !rig.names.contains("badContent"))
        let stitches = rig.events("stitched")
        #expect(stitches.count == 1)
        for case .stitched(_, _, let isExact, let isEstimated) in stitches { #expect(!isExact && isEstimated) }
        // The new version is 2.6 s longer.
        let seconds = Double(rig.pcm.count) / 176_400
        #expect(abs(seconds - Clip(new.bytes).packets.map(\.info.duration.seconds).reduce(0, +)) < 0.2)
        #expect(station.visits.count <= 5)
      }
    }
  }

  @Test("A version of another bit rate continues at the same time", arguments: [96, 160], [true, false])
  func encodedAnew(kilobits: Int, ranges: Bool) async throws {
    try await Stage.run(speed: 4) {
      let old = FileServer(Self.show)
      var new = FileServer(ToneMp3.frames(2_000, kilobits: kilobits, seed: 99))
      new.supportsRanges = ranges
      let answers = new
      let station = try ScriptedStation(tail: { answers.actions(for: $0) }) {
        $0.number == 0 ? old.actions(for: $0, most: 400_123) + [.reset] : answers.actions(for: $0)
      }
      defer { station.close() }
      try play(station) { rig in
        #expect(rig.names.contains("fileComplete") && rig.events("stitched").count == 1)
        let seconds = Double(rig.pcm.count) / 176_400
        #expect(abs(seconds - Clip(old.bytes).packets.map(\.info.duration.seconds).reduce(0, +)) < 0.3)
      }
    }
  }

  @Test("A start position works with another version at each visit")
  func start() async throws {
    try await Stage.run(speed: 4) {
      let files = [Self.shortAd, Self.longAd].map { FileServer($0 + Self.show) }
      let station = try ScriptedStation(tail: { files[0].actions(for: $0) }) {
        files[$0.number % 2].actions(for: $0)
      }
      defer { station.close() }
      try play(station, start: 20) { rig in
        #expect(rig.names.contains("fileComplete") && !rig.names.contains("badContent"))
        #expect(Double(rig.pcm.count) / 176_400 > 30)
      }
    }
  }

  @Test("Later parts go to the target of the redirect, and to the original address once that has expired")
  func redirected() async throws {
    try await Stage.run(speed: 4) {
      var file = FileServer(Self.show)
      file.etag = "\"a\""
      let answers = file
      let signed = Locked(0)
      let station = try ScriptedStation(tail: { answers.actions(for: $0) }) { visit in
        if visit.path == "/episode.mp3" {
          let number = signed.withLock {
            $0 += 1
            return $0
          }
          return StationAction.redirect("/signed/\(number)?key=secret")
        }
        // The first address breaks once, serves one more part that breaks too, and has expired then.
        switch visit.number {
        case 1: return answers.actions(for: visit, most: 200_123) + [.reset]
        case 2: return answers.actions(for: visit, most: 100_000) + [.reset]
        default:
          let isNew = visit.path.hasPrefix("/signed/2")
          return isNew ? answers.actions(for: visit) : StationAction.response("403 Forbidden")
        }
      }
      defer { station.close() }
      try play(station) { rig in
        let paths = station.visits.map { String($0.path.prefix { $0 != "?" }) }
        #expect(
          paths == ["/episode.mp3", "/signed/1", "/signed/1", "/signed/1", "/episode.mp3", "/signed/2"])
        #expect(station.visits.dropFirst(2).allSatisfy { $0.header("If-Range") == "\"a\"" })
        #expect(rig.names.contains("fileComplete") && !rig.names.contains("stitched"))
        #expect(difference(rig.pcm, Clip(Self.show).pcm()) == nil)
      }
    }
  }

  @Test("A password goes to no other host than before a redirect")
  func secrets() async throws {
    try await Stage.run(speed: 4) {
      let file = FileServer(Self.show)
      let other = try ScriptedStation(tail: { file.actions(for: $0) }) {
        file.actions(for: $0, most: $0.number == 0 ? 200_123 : .max) + ($0.number == 0 ? [.reset] : [])
      }
      let station = try ScriptedStation { _ in StationAction.redirect(other.url("/file.mp3")) }
      defer {
        station.close()
        other.close()
      }
      let rig = try RadioRig()
      rig.tune(station.url("/episode.mp3")) {
        $0.credentials = Credentials(name: "anna", password: "s3cret")
        $0.headers = ["X-Key: z"]
      }
      #expect(rig.playOut(within: 60))
      #expect(station.visits.count == 1 && other.visits.count == 2)
      #expect(station.visits.allSatisfy { $0.header("Authorization") != nil })
      #expect(other.visits.allSatisfy { $0.header("Authorization") == nil && $0.header("X-Key") == nil })
    }
  }
}
