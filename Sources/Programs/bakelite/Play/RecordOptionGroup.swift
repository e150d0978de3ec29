import ArgumentParser
import RadioEngine
import Recordings
import Units

struct RecordOptionGroup: ParsableArguments {
  @Option(
    "Record MP3 or AAC to this path without re-encoding, with a cue sheet. Replaces an existing recording.",
    value: "path")
  var record: String?

  @Flag(help: "Append to an existing recording of the same codec, rate and channels.")
  var append = false

  @Flag(help: "Record each title to its own file in the folder of --record.")
  var split = false

  @Option(
    """
    Save kept songs and the recordings of control clients in this folder; clients list and delete them. Default: the \
    folder of `bakelite recordings`, without a list for clients.
    """, value: "folder", completion: .directory)
  var recordings: String?

  func validate() throws {
    if record == nil, append || split {
      throw ValidationError("--\(append ? "append" : "split") requires --record, which sets the path.")
    }
    if append && split { throw ValidationError("--append and --split exclude each other; use one of them.") }
    if record?.isEmpty == true { throw ValidationError("--record is empty; add a path.") }
  }

  /// The recording to start with the first packet; nil if none is requested.
  var order: RecordingOrder? { record.map { RecordingOrder($0, appends: append, splits: split) } }

  /// The folder of kept songs: that of the option, otherwise the default folder of `recordings`.
  var folder: String { recordings ?? (try? RecordingsHome.find().folder) ?? RecordingsHome.own() ?? "." }

  var settings: RecordingSettings {
    var settings = RecordingSettings()
    settings.folder = folder
    settings.isPrivate = recordings == nil
    return settings
  }
}
