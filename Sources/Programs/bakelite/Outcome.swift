import ArgumentParser
import Glibc
import Network
import RadioEngine
import Settings
import System

/// What the program's exit tells a script.
enum Outcome: Int32 {
  case done = 0
  case failed = 1
  case wrongUse = 2
  case refused = 3
  case noHardware = 4

  /// For `throw` from a command.
  var exitCode: ExitCode { ExitCode(rawValue) }

  /// Why a radio could not be made.
  init(_ error: RadioError) { self = error.isHardware ? .noHardware : error.isWrongUse ? .wrongUse : .failed }

  /// Why a station could not be played.
  init(_ fault: PlaybackFault) { self = (400..<500).contains(fault.status) ? .refused : .failed }

  /// Files that say something wrong are wrong use; files that cannot be read or written are a failure.
  init(_ errors: [SettingsError]) { self = errors.contains { $0.line != nil } ? .wrongUse : .failed }
}

/// Says what went wrong; the result is for `throw` from a command.
func failure(_ outcome: Outcome, _ text: String) -> ExitCode {
  sayError(text)
  return outcome.exitCode
}

/// Writes an error to standard error; each of its lines begins with the program's name.
func sayError(_ text: String) {
  for line in text.split(separator: "\n") { say("bakelite: \(line)") }
}

/// Ends the program.
func quit(_ outcome: Outcome) -> Never { exit(outcome.rawValue) }

/// Writes a line to standard error.
func say(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

/// Writes text to a descriptor; 0, or the errno of write(2) where not all of it could be written.
@discardableResult
func write(_ text: String, to descriptor: Int32) -> Int32 {
  var text = text
  return text.withUTF8 { bytes in
    var done = 0
    while done < bytes.count {
      let count = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return count < 0 ? errno : EIO }
      done += count
    }
    return 0
  }
}

/// Writes a line that was asked for to standard output.
func putLine(_ text: String) { put(text + "\n") }

/// Writes text that was asked for to standard output. Where it cannot be written, a sentence says so, and the program
/// ends with 1.
func put(_ text: String) {
  let code = write(text, to: STDOUT_FILENO)
  guard code != 0 else { return }
  sayError("Could not write to standard output: \(unwritten(code)).")
  quit(.failed)
}

/// Why something could not be written, as a clause.
func unwritten(_ code: Int32) -> String {
  code == EPIPE ? "the program that read it ended" : errnoText(code, isCapitalized: true)
}

/// A reader that goes away is told by write(2), not by a signal.
func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
