import RadioEngine
import SinkBench
import StationSupport
import TestSupport
import Units

/// A radio that plays to a simulated card.
public enum InterruptionBench {
  /// The radio did not start to play.
  public struct NeverPlayed: Error {}

  /// The bench settings without drift steering.
  public static var settings: RadioSettings {
    var settings = RadioSettings.bench
    settings.steers = false
    return settings
  }

  /// Runs `work` with a radio that has played a clip for `seconds`. The radio has buffered the whole clip.
  public static func playing(
    _ clip: Clip, _ settings: RadioSettings = settings, for seconds: Double = 1.3,
    _ work: (RadioRig, BenchCard) throws -> Void
  ) throws {
    let station = try ScriptedStation(StationAction.onAir(clip))
    defer { station.close() }
    let card = BenchCard()
    let rig = try RadioRig(settings, to: card.output)
    rig.tune(station.url()) { $0.liveAhead = StreamTime(seconds: 300) }
    guard rig.next("playing") != nil else { throw NeverPlayed() }
    rig.run(for: seconds)
    try work(rig, card)
    _ = rig.radio.close()
  }

  /// Waits until the card has played `seconds` more. Returns false on a timeout.
  public static func waitForPlayback(_ seconds: Double, _ rig: RadioRig, _ card: BenchCard) -> Bool {
    let before = card.playedPcm.count
    return rig.run { card.playedPcm.count > before + Int(seconds * 44_100) * 4 }
  }
}
