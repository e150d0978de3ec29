import AudioOutput
import Continuity
import Control
import Foundation
import Network
import RadioEngine
import RadioSupport
import TestSupport
import Units

/// A radio with its player and a fallback chain.
final class ChainRig {
  let radio: Radio
  let player: PlayerController
  /// The names of the events.
  private(set) var events: [String] = []
  /// The names of the sources that replaced another one, in order.
  private(set) var sources: [String] = []
  var onEvent: (Event) -> Void = { _ in }

  private let folder = TemporaryFolder()

  /// Creates a radio that plays into a file, or nowhere.
  init(isHeard: Bool = true, trace: String? = nil) throws {
    var settings = RadioSettings()
    settings.blockCount = 400
    settings.receivesFirstChoice = true
    settings.secondSource = SecondSourceRule(.onTrouble)
    settings.waitLive = StreamTime(seconds: 1)
    let output = OutputRequest(isHeard ? .raw(folder.path + "/pcm") : .null)
    radio = try Radio(settings, output, clock: TestClock.current.clock)
    player = PlayerController(radio)
    radio.onEvent = { [unowned self] event, _ in
      events.append(event.name)
      if case .failedOver(_, let source, _, _, _) = event { sources.append(source) }
      onEvent(event)
      player.handle(event)
    }
    EventTrace.record(radio, as: trace)
  }

  deinit {
    radio.onEvent = { _, _ in }
    _ = radio.close()
  }

  /// Plays a station with fallbacks.
  func play(_ request: StationRequest, _ sources: [FallbackSource], _ rules: ContinuityRules, deadAir: DeadAir? = nil) {
    var plan = FallbackPlan(sources, rules)
    plan.deadAir = deadAir
    player.fallback.plan = { _ in plan }
    player.add(request, name: "Main")
    player.play(0)
  }

  func step(_ milliseconds: Int64 = 20) {
    radio.step(Duration(milliseconds: milliseconds))
    player.settle()
  }

  /// Runs the radio until a condition holds. Returns false after `seconds`.
  func run(_ seconds: Double = 60, until isDone: () -> Bool) -> Bool {
    let end = monotonicSeconds() + seconds
    while !isDone() {
      guard monotonicSeconds() < end else { return false }
      step()
    }
    return true
  }

  /// True if a programme is audible.
  var isSounding: Bool { radio.state == .playing && radio.isAudioPlaying }

  /// Number of bytes of PCM so far.
  var pcmCount: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path + "/pcm")
    return (attributes?[.size] as? Int) ?? 0
  }

  /// Returns the PCM from a byte on.
  func pcm(from start: Int) -> ArraySlice<UInt8> { folder.bytes(of: "pcm").dropFirst(start / 4 * 4) }
}

extension ChainRig: CustomReflectable {
  /// An empty mirror: a failed expectation would otherwise copy the radio.
  var customMirror: Mirror { Mirror(self, children: []) }
}
