import Framing

/// The types of values in replies of the control protocol, by key.
enum AnswerKeys {
  static let flags: Set = [
    "audible", "seekable", "repeat", "random", "consume", "outputenabled", "suspended", "live", "muted", "standby",
    "rewind_allowed", "fast_forward_allowed", "lit", "goes_on", "misspelt", "hls", "alive", "connected",
    "room_connected",
    "stream_playing", "growing",
  ]
  static let numbers: Set = [
    "timeshift", "held", "capacity", "blocks_used", "blocks_total", "block_playing", "behind_live", "bitrate",
    "reconnect_attempt", "underruns", "xruns", "rescues", "missed_notices", "lost", "rss_anon", "position", "duration",
    "byte_offset", "episode", "episodes", "window", "suspended_for",
    "told_bitrate", "volume", "level_l", "level_r", "peak_l", "peak_r", "playlist", "playlistlength", "mixrampdb",
    "mixrampdelay", "xfade", "song", "songid", "nextsong", "nextsongid", "elapsed", "Pos", "Id", "Prio", "Time",
    "outputid", "uptime", "playtime", "cpos", "sleep_minutes", "recording_bytes", "recording_seconds",
    "recording_free", "recording_left", "missing", "columns", "rows", "found", "votes", "songs", "artists", "albums",
    "db_playtime", "db_update", "number", "rooms", "bytes", "received", "stations", "directory_received",
    "source_for", "source_next", "sources",
  ]
}

extension JsonLine {
  /// Adds a value of a reply under its key: a Boolean, a number, numbers, or text. A mismatched type becomes text.
  package mutating func add(told key: String, _ value: String) {
    if AnswerKeys.flags.contains(key) {
      add(key, value == "1")
    } else if key == "spectrum" {
      add(key, value.split(separator: " ").compactMap { Int($0) })
    } else if AnswerKeys.numbers.contains(key), let number = Int(value) {
      add(key, number)
    } else if AnswerKeys.numbers.contains(key), let number = Double(value) {
      add(key, number)
    } else {
      add(key, value)
    }
  }
}
