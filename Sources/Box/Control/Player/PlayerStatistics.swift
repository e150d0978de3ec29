import RadioEngine

/// The figures for MPD's `stats` and `radio_status`.
struct PlayerStatistics {
  /// Seconds since the radio was created.
  let uptime: Double
  /// Seconds played.
  let playtime: Double
  /// Anonymous memory of this process, in KiB.
  let residentKibibytes: Int

  init(_ engine: any PlaybackEngine) {
    uptime = engine.time
    playtime = engine.summary.heard + (engine.state == .stopped ? 0 : engine.status.heard)
    residentKibibytes = engine.residentKibibytes
  }
}
