import ArgumentParser
import RadioEngine
import Units

struct RecordOptionGroup: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Record MP3 or AAC to this path without re-encoding it, with a cue sheet. An older recording is replaced.",
      valueName: "path"))
  var record: String?

  @Flag(help: "Append to an existing recording of the same codec, rate and channels.")
  var append = false

  @Flag(help: "Use the path of --record as a folder, and record each title to a file in it.")
  var split = false

  @Option(
    help: ArgumentHelp(
      "Put kept songs, and recordings that clients of --control start, into this folder.", valueName: "folder"),
    completion: .directory)
  var recordings = "."

  func validate() throws {
    if record == nil, append || split {
      throw ValidationError("--\(append ? "append" : "split") goes with --record, which says what is recorded to.")
    }
    if append && split { throw ValidationError("--append and --split exclude each other; give one of them.") }
    if record?.isEmpty == true { throw ValidationError("--record names no file; give it a path.") }
  }

  /// The recording to start with the first packet; nil if none is requested.
  var order: RecordingOrder? { record.map { RecordingOrder($0, appends: append, splits: split) } }

  var settings: RecordingSettings {
    var settings = RecordingSettings()
    settings.folder = recordings
    return settings
  }
}
