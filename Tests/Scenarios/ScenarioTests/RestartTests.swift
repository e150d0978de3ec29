import Foundation
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

/// A station that returns with new, identical or looping content plays as soon as its data arrives (R4.2).
@Suite struct RestartTests {
  enum Content: String, CaseIterable, Sendable { case new, same, loop }

  struct Restart: CustomTestStringConvertible, Sendable {
    var content: Content
    /// Seconds of absence.
    var gone: Double
    /// Seconds sent at once.
    var burst: Double
    var blocks = 300
    var testDescription: String { "\(content.rawValue) content after \(gone) s, burst of \(burst) s, \(blocks) blocks" }
  }

  static let cases = [
    Restart(content: .same, gone: 1, burst: 3), Restart(content: .same, gone: 5, burst: 3),
    Restart(content: .same, gone: 20, burst: 3), Restart(content: .same, gone: 60, burst: 3),
    Restart(content: .same, gone: 5, burst: 0.2), Restart(content: .same, gone: 5, burst: 15),
    Restart(content: .same, gone: 5, burst: 3, blocks: 24), Restart(content: .same, gone: 1, burst: 3, blocks: 48),
    Restart(content: .new, gone: 5, burst: 3), Restart(content: .new, gone: 30, burst: 3),
    Restart(content: .loop, gone: 5, burst: 3), Restart(content: .loop, gone: 30, burst: 3),
  ]

  /// Seconds sent before the absence.
  private static let sent = 24.0

  private static func clip(_ content: Content) -> Clip {
    content == .loop ? Clip((0..<8).flatMap { _ in Clip.mp3(7).bytes }) : Clip.mp3(60)
  }

  private static func air(_ clip: Clip, burst: Double, for seconds: Double = 3_600) -> [StationAction] {
    let bytes = Array(clip.bytes.prefix(Int((burst + seconds) * clip.byteRate)))
    return [.live(), .pace(bytes, perSecond: clip.byteRate, burst: Int(burst * clip.byteRate))]
  }

  @Test("A restarted station plays within two seconds and the prebuffer", arguments: cases)
  func restarts(_ restart: Restart) async throws {
    try await Stage.run(speed: 4) {
      let (before, after) = (
        Self.clip(restart.content), restart.content == .new ? Clip.long(60, seed: 9) : Self.clip(restart.content)
      )
      let end = Locked(Double.infinity)
      let station = try ScriptedStation { visit in
        let back = end.withLock { end in
          if visit.number > 0, end == .infinity { end = visit.time }
          return end + restart.gone
        }
        if visit.number == 0 { return Self.air(before, burst: 3, for: Self.sent - 3) }
        return visit.time < back ? [] : Self.air(after, burst: restart.burst)
      }
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.blockCount = restart.blocks
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(station.url())
      #expect(rig.run(90 + restart.gone) { monotonicSeconds() > end.withLock { $0 } + restart.gone })
      // One second until the retry, two for the stitch, one for the prebuffer.
      let silence = Self.maxSilence(of: rig, for: 11)
      #expect(rig.holdsUnlessLate(silence < 5))
      let stitches = rig.events("stitched")
      #expect(stitches.count == 1)
      guard case .stitched(let overlap, let lost, let isExact, let isEstimated) = stitches.first else { return }
      #expect(!isExact && isEstimated)
      let heard = rig.pcm
      _ = rig.radio.close()
      #expect(difference(Array(heard.prefix(176_400 * 5)), beginningOf: before.pcm()) == nil)
      guard restart.content == .same else { return }
      #expect(overlap == 0 && lost == 0)
      // The station's repeated beginning: 0.5 s to 4.5 s, in the PCM after the stitch.
      let again = Data(before.pcm()[(176_400 / 2)..<(176_400 * 9 / 2)])
      let range = Data(heard).range(of: again, in: (176_400 * 6)..<heard.count)
      #expect(rig.holdsUnlessLate(range != nil))
    }
  }

  @Test("A join in a full ring is decided at once (R4.2)")
  func joinsInFullRing() async throws {
    try await Stage.run {
      // Half a second of the repetition fits into the ring; the rest arrives later.
      let clip = Clip(ToneMp3.frames(400, kilobits: 320))
      let station = try ScriptedStation { visit in
        visit.number == 0
          ? Self.air(clip, burst: 0.5, for: 0.25) + [.reset] : Self.air(clip, burst: 1.5) + [.stall]
      }
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.blockCount = 16
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(station.url())
      #expect(rig.run { rig.names.contains("stitched") }, "\(rig.names)")
      let (joined, back) = (monotonicSeconds(), try #require(station.visits.last?.time))
      #expect(rig.holdsUnlessLate(joined - back < 0.5), "\(joined - back) s")
    }
  }

  /// The longest time without progress, in seconds, while the radio runs for `seconds`.
  private static func maxSilence(of rig: RadioRig, for seconds: Double) -> Double {
    let end = monotonicSeconds() + seconds
    var (longest, last, heard) = (0.0, monotonicSeconds(), rig.radio.status.heard)
    _ = rig.run(seconds + 60) {
      let now = monotonicSeconds()
      if rig.radio.status.heard > heard { (last, heard) = (now, rig.radio.status.heard) }
      longest = max(longest, now - last)
      return now > end
    }
    return longest
  }
}
