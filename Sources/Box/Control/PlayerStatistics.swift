import RadioEngine

/// A run in figures, as MPD's `stats` and `radio_status` tell it.
struct PlayerStatistics {
  /// Seconds since the radio was made.
  let uptime: Double
  /// Seconds heard since then.
  let playtime: Double
  /// Anonymous memory of this process, in KiB.
  let residentKibibytes: Int

  init(_ engine: any PlaybackEngine) {
    uptime = engine.time
    playtime = engine.summary.heard + (engine.state == .stopped ? 0 : engine.status.heard)
    residentKibibytes = engine.residentKibibytes
  }
}
