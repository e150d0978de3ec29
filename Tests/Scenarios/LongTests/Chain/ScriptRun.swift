import Continuity
import Foundation
import Network
import RadioEngine
import TestSupport
import Units

@testable import Control

/// The result of a script.
struct ScriptResult: Sendable {
  let seed: UInt64
  var faults: [String] = []
  /// True if the machine was late, so that the faults prove nothing.
  var isLate = false
  /// Duration by the clock of the radio, in seconds.
  var seconds = 0.0
  /// The longest silence, in seconds.
  var silence = 0.0
  var story: [String] = []
}

/// Runs a script with a real radio on the calling thread, and checks the laws after each step.
final class ScriptRun {
  private let plan: ScriptPlan
  private let rig: ChainRig
  private let start = monotonicSeconds()
  private let sources: [ScriptSource]
  private let folder = TemporaryFolder()
  private let (punctuality, delay) = (Punctuality(), ThreadDelay())
  private var result: ScriptResult
  /// Start of the silence, and the additional silence that is permitted.
  private var (silentSince, detour) = (0.0, 0.0)
  private var isSilent = true
  /// Start of each state that breaks a law if it stays.
  private var broken: [String: Double] = [:]
  private var heardAtRest: Double?
  private var visitsAtRest = 0
  private var (isChosen, isReturned, isToneChecked) = (false, false, false)

  init(_ seed: UInt64) throws {
    plan = ScriptPlan(seed)
    result = ScriptResult(seed: seed)
    let start = start
    sources = try plan.phases.map { try ScriptSource($0, start: start) }
    rig = try ChainRig(isHeard: false, trace: "LongTests.ScriptTests \(seed)")
    rig.onEvent = { [unowned self] in process($0) }
  }

  func run() -> ScriptResult {
    defer { for source in sources { source.close() } }
    play()
    while now < plan.duration {
      rig.step(100)
      delay.update()
      obeyOwner()
      checkSilence()
      checkStates()
    }
    rig.player.stop()
    checkEnd()
    result.seconds = now
    let most = sources.map(\.maxDelay).reduce(max(delay.maxDelay, punctuality.maxDelay), max)
    result.isLate = most > 0.8
    record("the machine was late by \(most) s")
    return result
  }

  private var now: Double { monotonicSeconds() - start }

  private func record(_ text: String) { result.story.append(String(format: "%7.2f ", now) + text) }

  private func fail(_ text: String) {
    record("FAULT: \(text)")
    if result.faults.count < 5 { result.faults.append("\(text) at \(String(format: "%.1f", now)) s") }
  }

  private func process(_ event: Event) {
    record("\(event)")
    if isResting, ["failedOver", "cameBack", "playing"].contains(event.name) { fail("\(event.name) in a rest") }
  }

  private func play() {
    var request = StationRequest(url: sources[0].url)
    if plan.hasAlternative, let last = sources.last {
      request.alternatives = [AlternativeAddress(url: StationAddress(last.url))]
    }
    for number in 1...2 { folder.write(ScriptSource.file(Double(4 * number)), to: "\(number).mp3") }
    let fallbacks = (1...plan.fallbackCount).map { number in
      plan.hasFolder && number == plan.fallbackCount
        ? FallbackSource(path: folder.path)
        : FallbackSource(Preset(name: "\(number)", request: StationRequest(url: sources[number].url)))
    }
    let rules = ContinuityRules(
      stepCount: plan.fallbackCount, hasTone: plan.hasTone, fallbackAfter: Duration(seconds: ScriptPlan.fallbackAfter),
      returnAfter: Duration(seconds: 3))
    rig.play(request, fallbacks, rules, deadAir: DeadAir(decibels: -80, seconds: ScriptPlan.deadAfter))
  }

  // MARK: The owner

  private var isResting: Bool { heardAtRest != nil }

  private func obeyOwner() {
    if let rest = plan.rest {
      if !isResting, now >= rest.start, now < rest.end { begin(rest) }
      if isResting, now >= rest.end { end(rest) }
    }
    if let choice = plan.choice, !isChosen, now >= choice.time, !isResting {
      isChosen = true
      record("the owner chooses \(choice.fallback)")
      _ = rig.player.fallback.choose(choice.fallback + (plan.hasAlternative ? 1 : 0))
      forgetSilence(from: choice.fallback)
    }
    if let time = plan.networkReturn, !isReturned, now >= time {
      isReturned = true
      rig.player.fallback.hasten()
    }
  }

  private func begin(_ rest: ScriptPlan.Rest) {
    record("the owner orders \(rest.kind)")
    switch rest.kind {
    case .pause: rig.player.pause()
    case .stop: rig.player.stop()
    }
    rig.player.settle()
    heardAtRest = rig.radio.status.heard
    visitsAtRest = sources.reduce(0) { $0 + $1.visitCount }
  }

  private func end(_ rest: ScriptPlan.Rest) {
    let heard = rig.radio.status.heard - (heardAtRest ?? 0)
    // The sink plays its buffer to the end.
    if heard > 1 { fail("\(heard) s of sound after \(rest.kind)") }
    let visits = sources.reduce(0) { $0 + $1.visitCount } - visitsAtRest
    // A request may be on its way at the moment of the order.
    if rest.kind == .stop, visits > 1 { fail("\(visits) requests after the stop") }
    heardAtRest = nil
    record("the owner wants sound")
    _ = rig.player.play()
    forgetSilence(from: source)
  }

  // MARK: The laws

  private func forgetSilence(from source: Int) {
    (silentSince, isSilent, detour) = (now, true, plan.detour(from: source))
  }

  /// The source that plays: 0 for the station.
  private var source: Int {
    guard let name = rig.player.fallback.fallbackName else { return 0 }
    return Int(name) ?? plan.fallbackCount
  }

  private func checkSilence() {
    let isSounding = rig.isSounding && rig.radio.quietSeconds < ScriptPlan.deadAfter + 1
    if let dark = plan.blackout, now >= dark.lowerBound - 1, now < dark.upperBound {
      // The last audio before the blackout is still in the buffer.
      (silentSince, isSilent, detour) = (now, !isSounding, plan.blackoutDetour)
      checkTone(dark)
      return
    }
    if isSounding || isResting {
      if isSilent, !isResting { record("sound") }
      (silentSince, isSilent) = (now, false)
      detour = plan.detour(from: source)
      return
    }
    if !isSilent { record("silence") }
    isSilent = true
    let silence = now - silentSince
    result.silence = max(result.silence, silence)
    if silence > plan.limit + detour {
      fail("silence of \(silence) s, although source \(plan.steady) delivers")
      silentSince = .infinity
    }
  }

  /// At the end of a long blackout the tone plays.
  private func checkTone(_ dark: Range<Double>) {
    let length = Double(plan.fallbackCount + 1) * ScriptPlan.wait + 4
    guard !isToneChecked, plan.hasTone, now >= dark.lowerBound + length, now < dark.upperBound else { return }
    isToneChecked = true
    if !rig.player.fallback.hasTone { fail("no tone in the blackout") }
  }

  private func checkStates() {
    let isWrong = rig.player.fallback.hasTone && (rig.isSounding || isResting)
    check("the tone does not end", isWrong, for: 1)
    let own = sources[0].connectionCount + (plan.hasAlternative ? sources.last?.connectionCount ?? 0 : 0)
    check("\(own) connections to the station", own > 3, for: 1)
    for (number, source) in sources.enumerated().dropFirst() {
      check("more than three connections to source \(number)", source.connectionCount > 3, for: 1)
    }
  }

  private func check(_ text: String, _ isWrong: Bool, for seconds: Double) {
    let key = String(text.drop { $0.isNumber })
    guard isWrong else { return broken[key] = nil }
    let since = broken[key] ?? now
    broken[key] = since
    if now - since > seconds {
      fail(text)
      broken[key] = .infinity
    }
  }

  private func checkEnd() {
    let events = rig.events.count
    let end = now + 5
    while now < end { rig.step(100) }
    let sounds = ["failedOver", "cameBack", "playing", "connecting"]
    let later = rig.events.dropFirst(events).filter { sounds.contains($0) }
    if !later.isEmpty || rig.player.fallback.hasTone || rig.isSounding { fail("\(later) after the stop") }
    let connections = sources.reduce(0) { $0 + $1.connectionCount }
    if connections > 0 { fail("\(connections) connections after the stop") }
  }
}
