import ArgumentParser
import Control
import RadioEngine
import Recordings

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

  var settings: RecordingSettings {
    // The default folder is that of `recordings`.
    let home = recordings.map { RecordingsHome.named($0) } ?? (try? RecordingsHome.find())
    return Self.settings(home ?? RecordingsHome(folder: RecordingsHome.own() ?? "."), isNamed: recordings != nil)
  }

  /// Returns the settings for a folder: a radio's folder has the limits of this radio, and the user's own folder is
  /// created. `isNamed`: true if the user named the folder.
  static func settings(_ home: RecordingsHome, isNamed: Bool) -> RecordingSettings {
    var settings = RecordingSettings()
    settings.folder = home.folder
    if let radio = home.radio.map({ RecordingSettings($0) }) {
      (settings.floor, settings.limit) = (radio.floor, radio.limit)
    } else {
      settings.isPrivate = !isNamed && home.socket == nil
    }
    return settings
  }
}
