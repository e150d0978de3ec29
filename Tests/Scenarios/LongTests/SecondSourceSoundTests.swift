import Foundation
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Mirrors of one encoder with faults at random; the output is sample-exact.
@Suite struct SecondSourceSoundTests {
  struct Programme: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var clip: @Sendable () -> Clip
    var type = "audio/mpeg"
    var seed: UInt64
  }

  static let programmes = [
    Programme(testDescription: "MP3", clip: { Clip.long(220) }, seed: 1),
    Programme(testDescription: "AAC", clip: { Clip.aac(220) }, type: "audio/aac", seed: 2),
  ]

  @Test("Faults of two mirrors at random are inaudible", arguments: programmes)
  func faults(_ programme: Programme) async throws {
    try await Stage.run(speed: 3) {
      let seed = ProcessInfo.processInfo.environment["BAKELITE_SEED"].flatMap { UInt64($0) } ?? programme.seed
      let clip = programme.clip()
      let mirrors = try FaultyMirrors(
        clip, burst: 2, FaultyMirrors.faults(until: clip.duration - 30, seed: seed), type: programme.type)
      defer { mirrors.close() }
      var settings = RadioSettings.bench
      (settings.steers, settings.secondSource) = (false, SecondSourceRule(.always))
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(mirrors.urls[0]) { $0.alternatives = [AlternativeAddress(url: StationAddress(mirrors.urls[1]))] }
      #expect(rig.run(300) { rig.radio.status.heard > clip.duration - 20 })
      for case .stitched(_, let lost, let isExact, _) in rig.events("stitched") {
        #expect(rig.holdsUnlessLate(lost == 0 && isExact))
      }
      #expect(!rig.events("stitched").isEmpty, "seed \(seed)")
      let (heard, whole) = (rig.pcm, clip.pcm())
      #expect(rig.holdsUnlessLate(difference(heard, beginningOf: whole) == nil), "seed \(seed)")
      let summary = rig.radio.close()
      #expect(rig.holdsUnlessLate((summary.lost, summary.underruns) == (0, 0)), "seed \(seed)")
    }
  }
}
