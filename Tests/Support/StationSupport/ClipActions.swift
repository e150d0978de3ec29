import TestSupport

extension StationAction {
  /// A live MP3 station that sends a clip at once and then stalls.
  public static func onAir(_ clip: Clip) -> [StationAction] { [.live(), .send(clip.bytes), .stall] }

  /// Sends a clip at `speed` times real time, after the first `burst` seconds at once.
  public static func audio(_ clip: Clip, speed: Double = 1, burst: Double = 0) -> StationAction {
    .pace(clip.bytes, perSecond: clip.byteRate * speed, burst: Int(burst * clip.byteRate))
  }

  /// A live MP3 station that sends a clip in real time and then stalls. The first `burst` seconds are sent at once.
  public static func onAir(_ clip: Clip, burst: Double) -> [StationAction] {
    [.live(), .audio(clip, burst: burst), .stall]
  }
}
