import ArgumentParser
import Glibc

/// What the program's exit tells a script.
enum Outcome: Int32 {
  case done = 0
  case failed = 1
  case wrongUse = 2
  case refused = 3
  case noHardware = 4

  /// For `throw` from a command.
  var exitCode: ExitCode { ExitCode(rawValue) }
}

/// Ends the program.
func quit(_ outcome: Outcome) -> Never { exit(outcome.rawValue) }

/// Writes a line to standard error.
func say(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

/// Writes text to a descriptor; what cannot be written is not.
func write(_ text: String, to descriptor: Int32) {
  var text = text
  text.withUTF8 { bytes in
    var done = 0
    while done < bytes.count {
      let count = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return }
      done += count
    }
  }
}

/// A reader that goes away is told by write(2), not by a signal.
func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
