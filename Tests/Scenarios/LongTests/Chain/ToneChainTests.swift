import Continuity
import Foundation
import MediaSupport
import Network
import SeededRandom
import StationSupport
import System
import TestSupport
import Testing
import Units

@testable import Control

/// The fallback chain to its tone and back, heard at the sink (F4, F5).
@Suite struct ToneChainTests {
  private static let rules = ContinuityRules(
    hasTone: true, fallbackAfter: Duration(seconds: 3), returnAfter: Duration(seconds: 2))

  private static func play(_ rig: ChainRig, _ url: String, _ sources: [FallbackSource]) {
    var rules = rules
    rules.stepCount = sources.count
    rig.play(StationRequest(url: url), sources, rules)
  }

  private static func fallback(_ url: String) -> FallbackSource {
    FallbackSource(Preset(name: "B", request: StationRequest(url: url)))
  }

  /// Waits until two more tones are heard and no programme; returns false otherwise.
  private static func hasTone(_ rig: ChainRig) -> Bool {
    guard rig.run(60, until: { rig.player.fallback.hasTone }) else { return false }
    let start = rig.pcmCount
    let isHeard = rig.run(40) { ChainTone(rig.pcm(from: start)).toneCount >= 2 }
    return isHeard && !ChainTone(rig.pcm(from: start)).hasProgramme
  }

  /// Waits until the programme of the station is heard for seconds, without the tone.
  private static func returns(_ rig: ChainRig) -> Bool {
    guard rig.run(240, until: { rig.isSounding && !rig.player.fallback.isAway }) else { return false }
    let start = rig.pcmCount
    let isHeard = rig.run(40) { rig.pcmCount > start + 6 * 176_400 }
    let sound = ChainTone(rig.pcm(from: start))
    return isHeard && sound.hasProgramme && sound.toneCount == 0 && !rig.player.fallback.hasTone
  }

  @Test(
    "Without a link the chain ends in the tone, and the station returns with the link (F4, F5)",
    .enabled(if: Namespace.isPermitted, "this machine lets nobody but root make network namespaces"))
  func link() async throws {
    try await Stage.run(speed: 6) {
      try Namespace.enter()
      try Namespace.setLoopback(isUp: true)
      let broadcast = Broadcast(Self.clip, burst: 2)
      let station = try ScriptedStation { [.live()] + broadcast.actions($0) }
      defer { station.close() }
      let rig = try ChainRig()
      Self.play(rig, station.url("/main"), [Self.fallback(station.url("/b"))])
      #expect(rig.run { rig.isSounding })
      try Namespace.setLoopback(isUp: false)
      let hasTone = Self.hasTone(rig)
      #expect(hasTone, "\(rig.events)")
      #expect(rig.sources.prefix(2) == ["B", "tone"])
      try Namespace.setLoopback(isUp: true)
      let isBack = Self.returns(rig)
      #expect(isBack, "\(rig.events)")
    }
  }

  @Test("A folder that disappears while it plays leads to the tone, and the station returns (F4, F5)")
  func disk() async throws {
    try await Stage.run(speed: 6) {
      let (broadcast, isGone) = (Broadcast(Self.clip, burst: 2), Locked(true))
      let station = try ScriptedStation { visit in
        isGone.withLock { $0 } ? StationAction.response("404 Not Found") : [.live()] + broadcast.actions(visit)
      }
      defer { station.close() }
      let folder = TemporaryFolder()
      for number in 1...2 { folder.write(Clip.mp3(4).bytes, to: "\(number).mp3") }
      let rig = try ChainRig()
      Self.play(rig, station.url(), [FallbackSource(path: folder.path)])
      #expect(rig.run { rig.isSounding && rig.player.fallback.isAway })
      try FileManager.default.removeItem(atPath: folder.path)
      let hasTone = Self.hasTone(rig)
      #expect(hasTone, "\(rig.events)")
      #expect(rig.sources.prefix(2) == [folder.path, "tone"])
      isGone.withLock { $0 = false }
      let isBack = Self.returns(rig)
      #expect(isBack, "\(rig.events)")
    }
  }

  @Test("A decoder that is fed with noise leads to the tone, and the station returns (F4, F5)", arguments: [0, 4.0])
  func noise(after seconds: Double) async throws {
    try await Stage.run(speed: 6) {
      let (broadcast, isGood, isOver) = (Broadcast(Self.clip, burst: 2), Locked(seconds > 0), Gate())
      var random = SeededGenerator(7)
      let noise = random.bytes(400_000)
      let station = try ScriptedStation { visit in
        let hiss = StationAction.pace(noise, perSecond: 16_000, burst: 32_000)
        guard isGood.withLock({ $0 }) else { return [.live(), hiss, .stall] }
        if isOver.isOpen { return [.live()] + broadcast.actions(visit) }
        return [.live()] + broadcast.actions(visit, for: seconds) + [hiss, .stall]
      }
      defer { station.close() }
      let rig = try ChainRig()
      Self.play(rig, station.url("/main"), [Self.fallback(station.url("/b"))])
      if seconds > 0 { #expect(rig.run { rig.isSounding }) }
      isGood.withLock { $0 = false }
      let hasTone = Self.hasTone(rig)
      #expect(hasTone, "\(rig.events)")
      #expect(rig.sources.prefix(2) == ["B", "tone"])
      isOver.open()
      isGood.withLock { $0 = true }
      let isBack = Self.returns(rig)
      #expect(isBack, "\(rig.events)")
    }
  }

  @Test("Dead air of all sources leads to the tone, and the station returns with its programme (F3, F4)")
  func deadAir() async throws {
    ScriptSource.prepare()
    try await Stage.run(speed: 6) {
      let start = monotonicSeconds()
      let back = ScriptPlan.Phase(state: .on, end: .infinity)
      let main = try ScriptSource([ScriptPlan.Phase(state: .dead, end: 60), back], start: start)
      let other = try ScriptSource([ScriptPlan.Phase(state: .dead, end: .infinity)], start: start)
      defer {
        main.close()
        other.close()
      }
      let rig = try ChainRig()
      var rules = Self.rules
      rules.stepCount = 1
      let limits = DeadAir(decibels: -50, seconds: 5)
      rig.play(StationRequest(url: main.url), [Self.fallback(other.url)], rules, deadAir: limits)
      let isHeard = rig.run(50) {
        ChainTone(rig.pcm(from: 0)).sounds.count { (436...442).contains($0.halfWaves) && $0.peak > 1_000 } >= 2
      }
      #expect(isHeard, "\(rig.events)")
      #expect(rig.sources.prefix(2) == ["B", "tone"])
      let from = rig.pcmCount
      let isBack = rig.run(120) { ChainTone(rig.pcm(from: from)).hasProgramme }
      #expect(isBack && !rig.player.fallback.isAway, "\(rig.events)")
    }
  }

  @Test("A refused first connection leads to the tone, and the station returns once it listens (F4, F5)")
  func refused() async throws {
    try await Stage.run(speed: 6) {
      let (main, other) = (try ScriptedStation([]), try ScriptedStation([]))
      main.close()
      other.close()
      let rig = try ChainRig()
      Self.play(rig, main.url(), [Self.fallback(other.url())])
      let hasTone = Self.hasTone(rig)
      #expect(hasTone, "\(rig.events)")
      #expect(rig.sources.prefix(2) == ["B", "tone"])
      let broadcast = Broadcast(Self.clip, burst: 2)
      let station = try ScriptedStation(port: main.port) { [.live()] + broadcast.actions($0) }
      defer { station.close() }
      let isBack = Self.returns(rig)
      #expect(isBack, "\(rig.events)")
    }
  }

  private static let clip = Clip(Array([[UInt8]](repeating: Clip.mp3(70).bytes, count: 6).joined()))
}
