import ArgumentParser
import Radio
import Units

/// What `play` records.
struct RecordOptionGroup: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Record what the station sends, as it sends it, with a cue sheet beside it; an older recording is replaced.",
      valueName: "path"))
  var record: String?

  @Flag(help: "Go on with the recording that is there, where codec, rate and channels are the same.")
  var append = false

  @Flag(help: "Take --record for a folder, and give each title a file of its own in it.")
  var split = false

  @Option(
    help: ArgumentHelp(
      "Where kept songs, and recordings that clients of --control name, are put. The default is the working directory.",
      valueName: "folder"))
  var recordings = "."

  func validate() throws {
    if record == nil, append || split {
      throw ValidationError("--\(append ? "append" : "split") goes with --record, which says what is recorded to.")
    }
    if append && split { throw ValidationError("--append and --split exclude each other; give one of them.") }
    if record?.isEmpty == true { throw ValidationError("--record names no file; give it a path.") }
  }

  /// What is recorded from the first packet on; nil where nothing is.
  var order: RecordingOrder? { record.map { RecordingOrder($0, appends: append, splits: split) } }

  /// Where and how.
  var settings: RecordingSettings {
    var settings = RecordingSettings()
    settings.folder = recordings
    return settings
  }
}
