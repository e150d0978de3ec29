import ArgumentParser
import Control
import Framing
import Glibc
import Http
import Recordings
import Settings
import System
import Units

struct RecordingsPlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play a recording: on the running radio, otherwise in this process.",
    discussion: """
      The running radio is the one at --socket, of --config, or the installed one. Recordings of your own folder, and \
      of --folder, play in this process unless --socket is given too.
      """)

  @Argument(help: ArgumentHelp("The recording's number or name.", valueName: "name-or-number"))
  var recording: String

  @OptionGroup var place: RecordingFolderOption

  @Option("Play on the radio at this socket.", value: "socket", completion: .file())
  var socket: String?

  @Option("Play in this process to this sink; see `bakelite play --help`.", value: "sink")
  var output: String?

  func run() throws {
    let home = try place.home()
    let folder = RecordingFolder(home.folder)
    let entry = try place.find(recording, in: folder)
    let name = DisplayText.line(entry.name)
    if output == nil, let radio = socket ?? home.socket {
      do throws(ControlConnection.Failure) {
        _ = try ControlConnection(radio).ask(["radio_recording_play", entry.name])
        return printNote("The radio plays \"\(name)\".")
      } catch {
        guard case .noRadio = error, socket == nil else { throw error }
      }
    }
    printNote("Playing \"\(name)\" here.")
    let options = output.map { ["--output", $0] } ?? []
    try PlayCommand.parse(options + ["--", folder.path(of: entry.name)]).run()
  }
}

struct RecordingsRenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract:
      "Rename a recording with its cue sheet, in its folder; a recording that is still being written is refused.")

  @Argument(help: ArgumentHelp("The recording's number or name.", valueName: "name-or-number"))
  var recording: String

  @Argument(help: ArgumentHelp("The new name, without a folder; the ending stays.", valueName: "new-name"))
  var newName: String

  @OptionGroup var place: RecordingFolderOption

  func run() throws {
    let home = try place.home()
    let folder = RecordingFolder(home.folder)
    let entry = try place.find(recording, in: folder)
    try Self.refuseIfPlaying(folder.path(of: entry.name), on: home.socket ?? InstalledPaths.socket)
    let renamed = try folder.rename(entry.name, to: newName)
    printNote("Renamed \"\(DisplayText.line(entry.name))\" to \"\(DisplayText.line(renamed))\".")
  }

  /// Refuses a file that the radio at a socket plays, because a seek opens the file again.
  private static func refuseIfPlaying(_ path: String, on socket: String) throws {
    guard let rows = try? ControlConnection(socket).ask(["radio_status"]) else { return }
    let status = CtlAnswer(rows)
    guard status["state"] != "stopped", let url = status["stream_url"],
      let address = try? WebAddress(StationAddress(url), allowsFile: true), address.isFile,
      absolutePath(address.filePath) == absolutePath(path)
    else { return }
    throw failure(.failed, "The radio plays this recording; stop the radio first.")
  }
}

struct RecordingsDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a recording with its cue sheet; a recording that is still being written is refused.")

  @Argument(help: ArgumentHelp("The recording's number or name.", valueName: "name-or-number"))
  var recording: String

  @OptionGroup var place: RecordingFolderOption

  @Flag(help: "Delete without a question.")
  var yes = false

  func run() throws {
    let folder = try place.chosen()
    let entry = try place.find(recording, in: folder)
    let name = DisplayText.line(entry.name)
    if !yes {
      guard isatty(STDIN_FILENO) == 1 else {
        throw failure(.wrongUse, "Deleting \"\(name)\" needs --yes without a terminal.")
      }
      write("Delete \"\(name)\"? [y/N] ", to: STDERR_FILENO)
      guard ["y", "yes"].contains((readLine() ?? "").lowercased()) else {
        throw failure(.failed, "\"\(name)\" stays.")
      }
    }
    try folder.remove(entry.name)
    printNote("Deleted \"\(name)\".")
  }
}

struct RecordingsPathCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "path", abstract: "Print the path of a recording, for other programs.")

  @Argument(help: ArgumentHelp("The recording's number or name.", valueName: "name-or-number"))
  var recording: String

  @OptionGroup var place: RecordingFolderOption

  func run() throws {
    let folder = try place.chosen()
    let entry = try place.find(recording, in: folder)
    putLine(folder.path(of: entry.name))
  }
}
