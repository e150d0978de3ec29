import Control
import Panel

/// The keys of `play` that have an effect now, for a terminal of 46 columns.
struct PlayHelp {
  /// True if a station or a file plays or is paused.
  var isPlaying = true
  var isLive = true
  /// True if the listener can go back or forward.
  var seeks = true
  var hasNext = true
  var hasPrevious = true
  /// True if number keys select stations.
  var hasNumbers = true
  var isRecording = false
  var canRecord = true
  var canKeep = true
  var canAdd = true
  /// True in the list of stations.
  var searches = false

  var lines: [String] { TerminalFrame.keys(rows) }

  private var rows: [(name: String, meaning: String)] {
    var rows = [(name: "Space", meaning: "play, pause")]
    if hasPrevious { rows.append((name: "<", meaning: "previous")) }
    if hasNext { rows.append((name: ">, n", meaning: "next")) }
    if hasNumbers { rows.append((name: "1 … 9", meaning: "play station")) }
    if isPlaying, seeks { rows += [(name: "← →", meaning: "seek by 5 s"), (name: "↓ ↑", meaning: "seek by 1 min")] }
    if isPlaying, isLive, seeks { rows.append((name: "l", meaning: "live")) }
    rows += [(name: "- +", meaning: "volume"), (name: "m, u", meaning: "mute")]
    if isRecording || canRecord {
      rows.append((name: "r", meaning: isRecording ? "end recording" : "record"))
    }
    if canKeep { rows.append((name: "k", meaning: "keep song")) }
    if canAdd { rows.append((name: "f", meaning: "add station")) }
    rows.append((name: "z", meaning: "sleep timer"))
    if searches { rows.append((name: "/", meaning: "search")) }
    rows.append((name: "?", meaning: searches ? "hide keys" : "list keys"))
    rows.append((name: "q", meaning: searches ? "to the list" : "quit"))
    return rows
  }
}

extension PlayHelp {
  /// The keys for the state of a player. `isList`: true in the list of stations. `hasOrder`: true if the command line
  /// names the file of a recording.
  init(_ player: PlayerController, isList: Bool, hasOrder: Bool) {
    let status = player.status
    isPlaying = player.state != .stopped
    isLive = status.facts?.isLive != false
    seeks = status.seeks
    hasNext = player.following != nil
    hasPrevious = hasNext || player.stepsItems || player.queue.count > 1
    hasNumbers = player.presets.count > 1
    isRecording = status.recording != nil
    let isRecordable = status.codec.map { PlayKeys.ending(of: $0) != nil } ?? false
    canRecord = isPlaying && isRecordable && (hasOrder || isLive)
    canKeep = isPlaying && isRecordable && status.title?.text.isEmpty == false
    canAdd = !isList && player.current != nil
    searches = isList
  }
}
