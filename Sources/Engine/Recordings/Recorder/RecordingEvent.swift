/// The end of a file, for the radio's events.
package enum RecordingEvent: Equatable {
  /// A recording of `bytes` bytes ended. `error`: the reason for an early end; nil if requested.
  case recordingStopped(path: String, bytes: Int, error: String?)
  /// A song was saved, or failed. `error`: the reason for the failure; nil if the song is complete.
  case songKept(KeptSong, bytes: Int, error: String?)
}
