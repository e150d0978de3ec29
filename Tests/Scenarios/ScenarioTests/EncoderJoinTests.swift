import Foundation
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Alternative addresses of another encoder: the decoded audio is joined (F1).
@Suite struct EncoderJoinTests {
  /// Samples of the left channel.
  private struct Wave {
    let samples: [Int32]

    init(_ pcm: [UInt8]) { samples = Sound(pcm).frames.map { Int32(Int16(truncatingIfNeeded: $0)) } }

    /// The greatest difference of two neighbours.
    var greatestStep: Int32 { zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) } }

    /// Number of samples of the longest silence.
    var longestSilence: Int {
      var (length, longest) = (0, 0)
      for sample in samples {
        length = abs(sample) < 2 ? length + 1 : 0
        longest = max(longest, length)
      }
      return longest
    }

    /// Returns the place, within 3,000 samples of `place`, at which this wave is most like `piece`.
    func place(of piece: ArraySlice<Int32>, near place: Int) -> Int {
      var (best, greatest) = (0, -Double.infinity)
      samples.withUnsafeBufferPointer { samples in
        piece.withUnsafeBufferPointer { piece in
          for start in max(0, place - 3_000)...min(samples.count - piece.count, place + 3_000) {
            var (product, energy, index): (Int64, Int64, Int) = (0, 1, 0)
            while index < piece.count {
              let sample = Int64(samples[start &+ index])
              product &+= sample &* Int64(piece[index])
              energy &+= sample &* sample
              index &+= 1
            }
            let likeness = Double(product) / Double(energy).squareRoot()
            if likeness > greatest { (best, greatest) = (start, likeness) }
          }
        }
      }
      return best
    }
  }

  /// A station that plays `main` for some seconds, and an alternative with another encoder. Both programmes begin at
  /// the first visit.
  private static func stations(_ main: Clip, _ other: Clip) throws -> (main: ScriptedStation, other: ScriptedStation) {
    let broadcasts = (main: Broadcast(main, burst: 8), other: Broadcast(other, burst: 8))
    let station = try ScriptedStation { visit in
      guard visit.number == 0 else { return StationAction.response("404 Not Found") }
      _ = broadcasts.other.age(visit)
      return [.live()] + broadcasts.main.actions(visit, for: 4)
    }
    let mirror = try ScriptedStation { visit in [.live(type: "audio/aac")] + broadcasts.other.actions(visit) }
    return (station, mirror)
  }

  /// The reported result of a join.
  private struct Join {
    let overlap: Double
    let lost: Double
    let isExact: Bool
    let isEstimated: Bool
  }

  /// Plays `main` up to the join with `other`, and then calls `body`.
  private static func join(
    _ main: Clip, _ other: Clip, rate: Int = 44_100, _ body: (RadioRig, Join) throws -> Void
  ) throws {
    let stations = try stations(main, other)
    defer {
      stations.main.close()
      stations.other.close()
    }
    try join(stations.main.url(), stations.other.url(), rate: rate, body)
  }

  /// Plays the first address up to the join with the second, and then calls `body`.
  private static func join(
    _ main: String, _ other: String, rate: Int = 44_100, _ body: (RadioRig, Join) throws -> Void
  ) throws {
    let rig = try RadioRig(isPaced: true, format: "s16le/\(rate)/2")
    rig.tune(main) { $0.alternatives = [AlternativeAddress(url: StationAddress(other))] }
    guard case .stitched(let overlap, let lost, let isExact, let isEstimated) = rig.next("stitched", within: 20) else {
      Issue.record("the streams were not joined: \(rig.names)")
      return
    }
    try body(rig, Join(overlap: overlap, lost: lost, isExact: isExact, isEstimated: isEstimated))
  }

  /// Encodings of the demo piece.
  enum Encoding: String, CaseIterable {
    case mp3, aac
    case lowMp3 = "long-cbr-22050.mp3"
    case variableMp3 = "long-vbr-22050.mp3"
    case highEfficiency = "long-he-44100.aac"

    var clip: Clip {
      switch self {
      case .mp3: .mp3(50)
      case .aac: .aac(50)
      default: Clip(Repository.bytes("Tests/Support/Fixtures/\(rawValue)")).prefix(50)
      }
    }

    var rate: Int { self == .lowMp3 || self == .variableMp3 ? 22_050 : 44_100 }
  }

  @Test(
    "Another encoder continues the programme within 10 ms, without a click or silence",
    arguments: [
      (Encoding.mp3, Encoding.aac), (.aac, .mp3), (.mp3, .lowMp3), (.lowMp3, .mp3), (.lowMp3, .variableMp3),
      (.mp3, .highEfficiency), (.highEfficiency, .lowMp3),
    ])
  func sameProgramme(main: Encoding, other: Encoding) async throws {
    try await Stage.run {
      let (first, second) = (main.clip, other.clip)
      try Self.join(first, second, rate: main.rate) { rig, join in
        #expect(rig.holdsUnlessLate(!join.isExact && !join.isEstimated && join.overlap > 3 && join.lost == 0))
        rig.run(for: 4)
        let (whole, heard) = (Wave(first.pcm()), Wave(rig.pcm))
        // A short piece of music may be like several places.
        let start = heard.samples.count - 20_000
        // A decoder starts with the first packet that needs no earlier one.
        let delay = whole.place(of: heard.samples[4_000..<8_000], near: 4_000) - 4_000
        let place = whole.place(of: heard.samples[start..<start + 16_000], near: start + delay)
        let error = Double(start + delay - place) / Double(main.rate)
        if ProcessInfo.processInfo.environment["BAKELITE_FIGURES"] != nil { print("\(main) \(other): \(error) s") }
        #expect(rig.holdsUnlessLate(abs(error) < 0.001), "\(error) s, overlap \(join.overlap)")
        let (step, bound) = (heard.greatestStep, whole.greatestStep)
        #expect(rig.holdsUnlessLate(step <= bound + bound / 10), "\(step), not \(bound)")
        #expect(rig.holdsUnlessLate(heard.longestSilence <= whole.longestSilence + main.rate / 100))
        #expect(rig.holdsUnlessLate(rig.radio.status.underruns == 0))
      }
    }
  }

  @Test("Another encoder joins if its programme is some seconds earlier or later (F1)", arguments: [-3.0, 3])
  func shifted(seconds: Double) async throws {
    try await Stage.run {
      // The stream without its first seconds is the earlier one.
      let first = Clip.mp3(50).from(Int(max(0, -seconds) * 44_100 / 1_152))
      let second = Clip.aac(50).from(Int(max(0, seconds) * 44_100 / 1_024))
      try Self.join(first, second) { rig, join in
        rig.run(for: 4)
        let (whole, heard) = (Wave(first.pcm()), Wave(rig.pcm))
        let start = heard.samples.count - 8_000
        let place = whole.place(of: heard.samples[start..<start + 4_000], near: start)
        #expect(rig.holdsUnlessLate(!join.isExact && !join.isEstimated && join.lost == 0))
        #expect(rig.holdsUnlessLate(abs(start - place) < 44), "\(start - place) samples")
        #expect(rig.holdsUnlessLate(rig.radio.status.underruns == 0))
      }
    }
  }

  @Test("A list of segments as the alternative continues the programme of a plain station (F1)")
  func segments() async throws {
    try await Stage.run {
      let (first, second) = (Clip.mp3(50), Clip.aac(50))
      let broadcast = Broadcast(first, burst: 8)
      let main = try ScriptedStation { visit in
        visit.number == 0
          ? [.live()] + broadcast.actions(visit, for: 4) : StationAction.response("404 Not Found")
      }
      let other = try SegmentedStation(second, length: 2, aired: 4)
      defer {
        main.close()
        other.close()
      }
      try Self.join(main.url(), other.url) { rig, join in
        rig.run(for: 4)
        let (whole, heard) = (Wave(first.pcm()), Wave(rig.pcm))
        let start = heard.samples.count - 20_000
        let place = whole.place(of: heard.samples[start..<start + 16_000], near: start)
        #expect(rig.holdsUnlessLate(!join.isExact && !join.isEstimated && join.lost == 0))
        #expect(rig.holdsUnlessLate(abs(start - place) < 44), "\(start - place) samples")
        #expect(rig.events("stitched").count == 1 && rig.events("seekDone").isEmpty)
        #expect(rig.holdsUnlessLate(rig.radio.status.underruns == 0))
      }
    }
  }

  @Test("The crossfade is linear, lasts a second, and is repeated after a rewind")
  func crossfade() async throws {
    try await Stage.run {
      let (first, second) = (Clip.mp3(50), Clip.aac(50))
      try Self.join(first, second) { rig, join in
        rig.run(for: 3)
        let (old, new, heard) = (Wave(first.pcm()).samples, Wave(second.pcm()), Wave(rig.pcm).samples)
        let start = zip(heard, old).prefix { $0 == $1 }.count
        let end = heard.count - 8_000
        let delay = end - new.place(of: heard[end..<end + 4_000], near: end)
        let weights = (0..<12).map { part in
          let range = start + part * 4_410..<start + (part + 1) * 4_410
          var (product, energy) = (0.0, 1.0)
          for index in range {
            let difference = Double(new.samples[index - delay] - old[index])
            product += difference * Double(heard[index] - old[index])
            energy += difference * difference
          }
          return product / energy
        }
        let isLinear = weights.enumerated().allSatisfy { abs($1 - min(1, (Double($0) + 0.5) / 10)) < 0.06 }
        #expect(rig.holdsUnlessLate(isLinear), "\(weights)")

        // The radio plays on during the calculation.
        let played = Double(rig.pcmCount / 4 - start) / 44_100
        rig.radio.rewind(by: join.overlap + played + 3)
        #expect(rig.next("seekDone", within: 5) != nil)
        let count = rig.pcmCount / 4
        rig.run(for: 7)
        let pcm = Array(rig.pcm.dropFirst(4 * count))
        let piece = Sound(Array(pcm[4 * 20_000..<4 * 22_000]))
        guard let early = Sound(first.pcm()).place(of: piece).map({ Int(($0 * 44_100).rounded()) }) else {
          #expect(rig.holdsUnlessLate(false), "the rewind plays another piece")
          return
        }
        let again = Wave(pcm).samples
        let late = Wave(first.pcm()).place(of: again[240_000..<244_000], near: early + 220_000)
        #expect(rig.holdsUnlessLate(abs(late - early - 220_000) < 44), "\(late - early)")
        #expect(rig.events("stitched").count == 1)
      }
    }
  }

  @Test("Another programme at an alternative address is joined by the clock, and reported as an estimate")
  func otherProgramme() async throws {
    try await Stage.run {
      let second = 44_100 / 1_024
      try Self.join(.mp3(20), Clip.aac(70).from(40 * second)) { rig, join in
        #expect(!join.isExact && join.isEstimated)
        let before = rig.pcmCount
        rig.run(for: 2)
        #expect(rig.pcmCount > before + 176_400)
        #expect(rig.holdsUnlessLate(rig.radio.status.underruns == 0))
        #expect(rig.events("stitched").count == 1)
      }
    }
  }
}
