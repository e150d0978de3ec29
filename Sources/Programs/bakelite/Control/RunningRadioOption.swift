import ArgumentParser
import Control
import Framing
import Glibc
import Settings
import System

struct RunningRadioOption: ParsableArguments {
  @Option(
    """
    Use the radio at this socket: edit its stations, unless --stations is given, and reload them. Default: \
    \(InstalledPaths.socket), if it exists.
    """, value: "socket", completion: .file())
  var socket: String?

  /// Returns the files of the radio at `--socket`, which also reloads them; nil without that option.
  func files() throws -> (stations: String, owner: String?)? {
    guard let socket else { return nil }
    guard Self.isTrusted(socket) else {
      let place = DisplayText.line(socket)
      throw failure(.failed, "The socket \(place) belongs to another user; select the file with --stations.")
    }
    do throws(ControlConnection.Failure) {
      let answer = CtlAnswer(try ControlConnection(socket).ask(["radio_reload"]))
      if let stations = answer["file"], stations.hasPrefix("/") { return (stations, answer["owner"]) }
    } catch .refused(code: 5, message: _) {
      // A radio of `bakelite play` has no station list.
    } catch {
      // Swift 6.3 crashes without this clause.
      throw error
    }
    throw failure(.failed, "The radio at \(DisplayText.line(socket)) has no station file; select one with --stations.")
  }

  /// Returns true if a radio may choose the file to write: the box's radio, or one of this user or root.
  private static func isTrusted(_ socket: String) -> Bool {
    if socket == InstalledPaths.socket { return true }
    return [lstat, stat].allSatisfy { look in
      var facts = Glibc.stat()
      return look(socket, &facts) != 0 || [0, geteuid()].contains(facts.st_uid)
    }
  }

  /// Makes a running radio reload its stations. Prints the result if the radio uses one of the files.
  func reload(of files: StationFiles) {
    do throws(ControlConnection.Failure) {
      let answer = CtlAnswer(try ControlConnection(socket ?? InstalledPaths.socket).ask(["radio_reload"]))
      let own = [files.path, files.owner?.path].compactMap { $0 }.map(absolutePath)
      guard [answer["file"], answer["owner"]].contains(where: { $0.map { own.contains($0) } == true }) else { return }
      printNote(DisplayText.line("The running radio has reloaded its stations: \(answer["stations"] ?? "0")."))
      if let problem = answer["problem"] { printError(DisplayText.line(problem)) }
    } catch {
      switch error {
      case .noRadio(_, ENOENT) where socket == nil, .noRadio(_, ECONNREFUSED) where socket == nil: break
      // A radio of `bakelite play` has no station list.
      case .refused(code: 5, message: _): break
      default: printError(DisplayText.line("The running radio could not reload its stations. \(error)"))
      }
    }
  }
}
