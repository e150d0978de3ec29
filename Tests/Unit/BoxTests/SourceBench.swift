import Control
import Network
import RadioEngine

@testable import PlayerSupport

/// A player of station A with a fallback chain, on a radio without threads.
struct SourceBench {
  let radio = FakeRadio()
  let player: PlayerController

  init() {
    player = PlayerController(radio)
    player.add(StationRequest(url: "http://a/a"), name: "A")
  }

  /// A chain with the fallback B.
  static var plan: FallbackPlan {
    FallbackPlan([FallbackSource(Preset(name: "B", request: StationRequest(url: "http://b/b")))])
  }

  /// Plays the station until it is audible.
  func play(_ plan: FallbackPlan = Self.plan) {
    player.fallback.plan = { _ in plan }
    player.play(0)
    (radio.state, radio.isAudioPlaying) = (.playing, true)
    player.settle()
  }

  /// Passes the time in steps of a second.
  func pass(_ seconds: Int) {
    for _ in 0..<seconds {
      radio.time += 1
      player.settle()
    }
  }
}
