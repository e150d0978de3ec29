import Foundation
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import SeededRandom
import StationSupport
import TestSupport
import Testing
import Units

/// Fifty cuts, each followed by an overlapping burst; the output is sample-exact (R4.2).
@Suite struct ExactRunTests {
  struct Programme: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var path: String
    var type = "audio/mpeg"
    var channels = 2
    var isByMpg123 = false
    var seed: UInt64
  }

  static let programmes = [
    Programme(testDescription: "MP3 CBR", path: "Tests/Support/Fixtures/long-cbr-22050.mp3", channels: 1, seed: 1),
    Programme(
      testDescription: "MP3 CBR by libmpg123", path: "Tests/Support/Fixtures/long-cbr-22050.mp3", channels: 1,
      isByMpg123: true, seed: 7),
    Programme(testDescription: "MP3 CBR, no reservoir", path: "config/demo/bakelite-demo.mp3", seed: 2),
    Programme(testDescription: "MP3 VBR", path: "Tests/Support/Fixtures/long-vbr-22050.mp3", channels: 1, seed: 3),
    Programme(testDescription: "AAC-LC", path: "config/demo/bakelite-demo.aac", type: "audio/aac", seed: 4),
    Programme(
      testDescription: "HE-AAC v1", path: "Tests/Support/Fixtures/long-he-44100.aac", type: "audio/aacp", seed: 5),
    Programme(
      testDescription: "HE-AAC v2", path: "Tests/Support/Fixtures/long-he2-44100.aac", type: "audio/aacp", seed: 6),
  ]

  @Test("Fifty cuts are inaudible, and each title is emitted once (R4.2, N2, C5)", arguments: programmes)
  func fiftyCuts(_ programme: Programme) async throws {
    try await Stage.run(speed: 12) {
      let clip = Clip(Repository.bytes(programme.path)).prefix(54)
      let plan = CutPlan(clip, titles: ["One", "Two", "Three", "Four", "Five", "Six"], seed: programme.seed)
      let station = try ScriptedStation { visit in plan.script(visit, type: programme.type) }
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.pauseTimeout = .zero
      if programme.isByMpg123 { settings.mp3Decoder = .mpg123 }
      let rig = try RadioRig(settings)
      rig.tune(station.url())
      rig.radio.pause()
      #expect(rig.run(900) { plan.isOver && rig.radio.status.blocks.written.seconds > clip.duration - 0.2 })
      // On a late machine two cuts can share a connection.
      #expect(rig.events("stitched").count > CutPlan.cutCount * 9 / 10)
      rig.radio.resume()
      #expect(rig.run(900) { rig.radio.status.heard > clip.duration - 0.2 })
      for case .stitched(let overlap, let lost, let isExact, let isEstimated) in rig.events("stitched") {
        #expect(overlap > 0 && lost == 0 && isExact && !isEstimated)
      }
      let titles = rig.events.compactMap {
        if case .metadataChanged(let title, _) = $0.event { title.text } else { nil }
      }
      #expect(titles == plan.titles)
      let (heard, whole) = (rig.pcm, clip.pcm(channels: programme.channels, byMpg123: programme.isByMpg123))
      #expect(Double(heard.count) > Double(whole.count) * 0.99)
      #expect(difference(heard, beginningOf: whole) == nil)
      let summary = rig.radio.close()
      #expect((summary.lost, summary.underruns) == (0, 0))
    }
  }
}
