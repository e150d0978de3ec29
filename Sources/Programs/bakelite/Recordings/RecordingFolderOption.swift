import ArgumentParser
import Framing
import Recordings
import Settings

struct RecordingFolderOption: ParsableArguments {
  @Option(
    """
    Use the recordings in this folder. Default: the folder of the installed radio ([recording] path) for users who may \
    change that folder, otherwise bakelite/recordings in $XDG_DATA_HOME or ~/.local/share.
    """, value: "folder", completion: .directory)
  var folder: String?

  @Option(
    "Use the folder and the socket of the radio with this settings file.", value: "file",
    completion: .file(extensions: ["toml"]))
  var config: String?

  /// Returns the folder by the options, otherwise of the installed radio or of the user.
  func chosen() throws -> RecordingFolder { RecordingFolder(try home().folder) }

  /// Returns the folder by the options with its radio, otherwise those of the installed radio or of the user.
  func home() throws -> RecordingsHome {
    if let folder { return RecordingsHome(folder: folder) }
    return try config.map { path throws(SettingsErrors) in try RecordingsHome(settings: path) } ?? RecordingsHome.find()
  }

  /// Lists a folder. A missing folder is a fault if the user has named it, otherwise empty.
  func list(_ folder: RecordingFolder) throws -> RecordingFolder.Listing {
    let listing = try folder.list()
    if listing.isMissing, self.folder != nil {
      throw failure(.failed, "The folder \(DisplayText.line(folder.path)) does not exist; name another one.")
    }
    return listing
  }

  /// Returns the recording with a number of the list, or with a name. A name that is a number in the list is a number.
  func find(_ word: String, in folder: RecordingFolder) throws -> RecordingEntry {
    let entries = try list(folder).entries
    if let number = Int(word), entries.indices.contains(number &- 1) { return entries[number - 1] }
    if let entry = entries.first(where: { $0.name == word }) { return entry }
    // Without the ending, if it is unique.
    let namesakes = entries.filter { $0.name.hasPrefix(word + ".") && !$0.name.dropFirst(word.count + 1).contains(".") }
    if namesakes.count == 1 { return namesakes[0] }
    let count = entries.count == 1 ? "1 recording" : "\(entries.count) recordings"
    throw failure(
      .failed,
      "No recording has the number or name \(DisplayText.clean(word, characterLimit: 100)); "
        + "\(DisplayText.line(folder.path)) contains \(count).")
  }
}

extension RecordingError: CommandFault {
  var sentence: String { DisplayText.line(description) }
}
