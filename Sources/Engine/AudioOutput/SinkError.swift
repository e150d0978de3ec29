import Blocks
import Glibc
import System

/// The reason why a sink cannot play; each case has a sentence for people.
public enum SinkError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The device does not exist; `existing` lists the others.
  case noSuchDevice(String, existing: [String])
  /// Another program uses the device.
  case deviceBusy(String)
  /// The user may not open the device.
  case deviceForbidden(String)
  /// The device does not support `what`: all formats of Bakelite, or the requested channels or rate.
  case deviceUnsuitable(String, what: String)
  /// The device failed for another reason.
  case deviceFailed(String, message: String)
  /// A named pipe has no reader yet.
  case noReader(path: String)
  /// A named pipe's reader closed it.
  case readerGone(path: String)
  /// A pipe's reader consumes nothing.
  case readerStands(path: String)
  /// The path for snapserver is not a named pipe, or does not exist.
  case noFeed(path: String)
  /// A named pipe was removed or replaced.
  case pipeGone(path: String)
  /// The output is a terminal, which cannot display sound.
  case terminal(path: String)
  /// A file or pipe cannot be opened or written.
  case fileFailed(path: String, errno: Int32)

  /// A sentence with event, object and remedy.
  public var description: String {
    switch self {
    case .noSuchDevice(let name, let existing) where existing.isEmpty:
      "There is no sound device \"\(name)\", and this machine has no other; connect one."
    case .noSuchDevice(let name, let existing):
      "There is no sound device \"\(name)\"; choose one of these: \(existing.joined(separator: ", "))."
    case .deviceBusy(let name):
      "The sound device \"\(name)\" is in use by another program; stop that program, or choose another device."
    case .deviceForbidden(let name):
      "The sound device \"\(name)\" cannot be opened by this user; add the user to the group \"audio\"."
    case .deviceUnsuitable(let name, let what):
      "The sound device \"\(name)\" does not support \(what); choose \"plughw:\" or \"default\", which convert."
    case .deviceFailed(let name, let message):
      "The sound device \"\(name)\" failed: \(message)."
    case .noReader(let path):
      "No program reads the pipe \(path) yet; playback waits for a reader."
    case .readerGone(let path):
      "The program that read the pipe \(path) ended; playback waits for a new reader."
    case .readerStands(let path):
      "The reader of \(path == "-" ? "standard output" : "the pipe \(path)") accepts no data; playback waits for "
        + "it."
    case .noFeed(let path):
      "\(path) is not a pipe for snapserver; make it with \(Self.making(path)), and playback continues when "
        + "snapserver reads it."
    case .pipeGone(let path):
      "\(path) is no longer a pipe; make it again with mkfifo, and playback continues when a program reads it."
    case .terminal(let path):
      "Audio is not written to \(Self.place(path)), a terminal; redirect it to a file or another program."
    case .fileFailed(let path, EPIPE):
      "Could not write to \(Self.place(path)): the program that read it ended."
    case .fileFailed(let path, let errno):
      "Could not write to \(Self.place(path)): \(errnoText(errno))."
    }
  }

  /// Returns the command that creates the pipe; tmpfiles.d creates the configured pipe.
  private static func making(_ pipe: String) -> String {
    pipe == OutputRequest.snapcastPipe ? "systemd-tmpfiles --create bakelite-snapcast.conf" : "mkfifo"
  }

  private static func place(_ path: String) -> String { path == "-" ? "standard output" : path }

  /// True if a sound device is missing, busy or otherwise unusable (exit code 4).
  public var isHardware: Bool {
    switch self {
    case .noReader, .readerGone, .readerStands, .noFeed, .pipeGone, .terminal, .fileFailed: false
    default: true
    }
  }
}
