import ArgumentParser
import Glibc
import RadioEngine
import System

final class EventLog {
  /// The errno of the first failed write(2), otherwise 0. A failure ends all writing.
  private(set) var failure: Int32 = 0
  let name: String
  private let file: Descriptor

  /// Opens a log at a path, or on standard output for "-". Nil discards the events.
  init(_ path: String?) throws {
    name = path == "-" ? "standard output" : path ?? ""
    guard let path else {
      file = Descriptor(-1)
      return
    }
    file = Descriptor(
      path == "-" ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644))
    guard file.isOpen else {
      let reason = errnoText(errno, isCapitalized: true)
      throw bakelite.failure(.failed, "Could not write events to \(path): \(reason); choose another path.")
    }
  }

  func write(_ event: Event, at time: Double) {
    if file.isOpen, failure == 0 { failure = bakelite.write(event.json(at: time) + "\n", to: file.raw) }
  }
}
