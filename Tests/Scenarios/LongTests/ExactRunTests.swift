import Foundation
import Network
import RadioEngine
import TestSupport
import Testing
import Units
import SeededRandom

/// Fifty cuts at random places, each followed by a burst that reaches back: what is heard is an uncut run, sample for
/// sample (R4.2).
@Suite struct ExactRunTests {
  struct Programme: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var path: String
    var type = "audio/mpeg"
    var channels = 2
    var seed: UInt64
  }

  static let programmes = [
    Programme(testDescription: "MP3 CBR", path: "Tests/Support/Fixtures/long-cbr-22050.mp3", channels: 1, seed: 1),
    Programme(testDescription: "MP3 CBR, no reservoir", path: "config/demo/bakelite-demo.mp3", seed: 2),
    Programme(testDescription: "MP3 VBR", path: "Tests/Support/Fixtures/long-vbr-22050.mp3", channels: 1, seed: 3),
    Programme(testDescription: "AAC-LC", path: "config/demo/bakelite-demo.aac", type: "audio/aac", seed: 4),
    Programme(
      testDescription: "HE-AAC v1", path: "Tests/Support/Fixtures/long-he-44100.aac", type: "audio/aacp", seed: 5),
    Programme(
      testDescription: "HE-AAC v2", path: "Tests/Support/Fixtures/long-he2-44100.aac", type: "audio/aacp", seed: 6),
  ]

  @Test("fifty cuts are not heard, and each title is told once (R4.2, N2)", arguments: programmes)
  func fiftyCuts(_ programme: Programme) async throws {
    try await Stage.run(speed: 12) {
      let clip = Clip(Repository.bytes(programme.path)).prefix(54)
      let plan = CutPlan(clip, seed: programme.seed)
      let station = try ScriptedStation { visit in plan.script(visit, type: programme.type) }
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.pauseTimeout = .zero
      let rig = try RadioRig(settings)
      rig.tune(station.url())
      // Paused it holds so much that a busy machine is no hurry to it.
      rig.radio.pause()
      #expect(rig.run(900) { plan.isOver && rig.radio.status.blocks.written.seconds > clip.duration - 0.2 })
      // One that a late machine answers beside another is no cut of its own.
      #expect(rig.all("stitched").count > CutPlan.cutCount * 9 / 10)
      rig.radio.resume()
      #expect(rig.run(900) { rig.radio.status.heard > clip.duration - 0.2 })
      for case .stitched(let overlap, let lost, let isExact, let isEstimated) in rig.all("stitched") {
        #expect(overlap > 0 && lost == 0 && isExact && !isEstimated)
      }
      let titles = rig.events.compactMap {
        if case .metadataChanged(let title, _) = $0.event { title.text } else { nil }
      }
      #expect(titles == CutPlan.titles)
      let (heard, whole) = (rig.pcm, clip.pcm(channels: programme.channels))
      #expect(Double(heard.count) > Double(whole.count) * 0.99)
      #expect(difference(heard, beginningOf: whole) == nil)
      let summary = rig.radio.close()
      #expect((summary.lost, summary.underruns) == (0, 0))
    }
  }
}

/// A programme that is cut fifty times, at packets' borders and within packets, by FIN and by RST.
private struct CutPlan: Sendable {
  static let cutCount = 50
  static let titles = ["One", "Two", "Three", "Four", "Five", "Six"]

  /// One connection: what it sends, and how.
  private struct Leg: Sendable {
    var bytes: Range<Int>
    var metaint: Int?
    var isReset: Bool
    var chunkSeed: UInt64
    /// Open when all of it was sent.
    let end = Gate()
  }

  private let audio: [UInt8]
  private let cues: [(at: Int, text: String)]
  private var legs: [Leg] = []

  init(_ clip: Clip, seed: UInt64) {
    audio = clip.bytes
    let length = audio.count
    cues = Self.titles.enumerated().map { (at: length * $0.offset / Self.titles.count, text: $0.element) }
    let borders = clip.packets.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.bytes.count) }
    var random = SeededGenerator(seed)
    func place(_ wanted: Int) -> Int {
      Bool.random(using: &random) ? borders.last { $0 <= wanted } ?? 0 : max(0, wanted)
    }
    let second = Int(clip.byteRate)
    let cuts = (0..<Self.cutCount).map { _ in Int.random(in: 6 * second..<length - second, using: &random) }.sorted()
    var start = 0
    for cut in cuts.map({ place($0) }) + [length] {
      let metaint = [nil, 100, 1_000, 4_096, 8_191, 16_000].randomElement(using: &random) ?? nil
      legs.append(
        Leg(bytes: start..<cut, metaint: metaint, isReset: .random(using: &random), chunkSeed: random.next()))
      start = place(cut - Int(Double(second) * .random(in: 0.4...5, using: &random)))
    }
  }

  /// Whether all was sent.
  var isOver: Bool { legs.allSatisfy(\.end.isOpen) }

  /// What a visitor gets: the first leg that is not over, so that one who comes beside another, late on a
  /// busy machine, gets the same.
  func script(_ visit: ScriptedStation.Visit, type: String) -> [Act] {
    guard let number = legs.firstIndex(where: { !$0.end.isOpen }) else { return [.stall] }
    let leg = legs[number]
    let part = Array(audio[leg.bytes])
    var acts = [Act.live(type: type)]
    var sent = part
    if let metaint = leg.metaint {
      acts = [.live("icy-metaint: \(metaint)", type: type)]
      let moved = cues.map { (at: max(0, $0.at - leg.bytes.lowerBound), text: $0.text) }
      sent = Icy.interleave(part, metaint: metaint, titles: moved)
    }
    var random = SeededGenerator(leg.chunkSeed)
    while !sent.isEmpty {
      let count = min(sent.count, .random(in: 1...[7, 2_000, 30_000].randomElement(using: &random)!, using: &random))
      acts.append(.send(Array(sent.prefix(count))))
      sent.removeFirst(count)
      if acts.count > 60 {
        acts.append(.send(sent))
        break
      }
    }
    acts.append(.open(leg.end))
    if number == legs.count - 1 { return acts + [.stall] }
    return leg.isReset ? acts + [.reset] : acts
  }
}
