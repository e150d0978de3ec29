import AudioOutput
import Control
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Units

/// A whole player with a fallback, and a station that sends one programme.
final class DeadAirBench {
  /// A change of the source, with the audible position of the programme before it.
  struct Change: CustomStringConvertible {
    var event: Event
    var position: Double

    var description: String { "\(event.name) at \(position)" }
  }

  /// The changes of the source so far.
  private(set) var changes: [Change] = []
  /// The longest silence and the longest loop that were measured, in seconds.
  private(set) var most = (quiet: 0.0, loop: 0.0)
  let player: PlayerController
  let main: ScriptedStation
  let fallback: ScriptedStation
  private let radio: Radio
  private let punctuality = Punctuality()

  private static let other = Clip.mp3(60)

  init(_ audio: DeadAirAudio, _ deadAir: DeadAir) throws {
    main = try ScriptedStation { _ in audio.actions }
    fallback = try ScriptedStation(StationAction.onAir(Self.other, burst: 4))
    var settings = RadioSettings.bench
    (settings.blockCount, settings.receivesFirstChoice) = (1_000, true)
    var output = OutputRequest(.null)
    output.isPaced = true
    radio = try Radio(settings, output, clock: TestClock.current.clock)
    player = PlayerController(radio)
    radio.onEvent = { [unowned self] event, _ in
      if ["deadAir", "failedOver", "cameBack"].contains(event.name) {
        changes.append(Change(event: event, position: radio.status.position))
      }
      player.handle(event)
    }
    let source = FallbackSource(Preset(name: "B", request: StationRequest(url: fallback.url())))
    player.fallback.plan = { _ in
      var plan = FallbackPlan([source])
      plan.deadAir = deadAir
      return plan
    }
    player.add(StationRequest(url: main.url()), name: "A")
    player.play(0)
  }

  deinit {
    radio.onEvent = { _, _ in }
    _ = radio.close()
    main.close()
    fallback.close()
  }

  var position: Double { radio.status.position }

  /// True if the fallback is audible.
  var isAway: Bool { player.fallback.fallbackName == "B" && radio.state == .playing && radio.isAudioPlaying }

  /// Runs until a condition holds. Returns false after `seconds`.
  func run(_ seconds: Double, until isDone: () -> Bool) -> Bool {
    let end = monotonicSeconds() + seconds
    while !isDone() {
      guard monotonicSeconds() < end else { return false }
      radio.step(Duration(milliseconds: 20))
      player.settle()
      most = (max(most.quiet, radio.quietSeconds), max(most.loop, radio.loopSeconds))
    }
    return true
  }

  /// True if an assertion about times holds, or if this machine was late.
  func holdsUnlessLate(_ holds: Bool) -> Bool { punctuality.holdsUnlessLate(holds) }
}

extension DeadAirBench: CustomReflectable {
  /// An empty mirror: a failed expectation would otherwise copy the radio.
  var customMirror: Mirror { Mirror(self, children: []) }
}
