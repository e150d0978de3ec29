import ArgumentParser
import Glibc
import RadioEngine
import System

/// Where events are written as lines of JSON; its end closes the file.
final class EventLog {
  /// Why events could not be written, as an errno of write(2); 0 while they can. None is written after that.
  private(set) var failure: Int32 = 0
  /// What people call the place.
  let name: String
  private let file: Descriptor

  /// A log at a path, on standard output for "-", or nowhere.
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

  /// Writes one event.
  func write(_ event: Event, at time: Double) {
    if file.isOpen, failure == 0 { failure = bakelite.write(event.json(at: time) + "\n", to: file.raw) }
  }
}
