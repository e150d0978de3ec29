import ArgumentParser
import Glibc
import Network
import RadioEngine
import Settings
import System

enum Outcome: Int32 {
  case done = 0
  case failed = 1
  case wrongUse = 2
  case refused = 3
  case noHardware = 4

  var exitCode: ExitCode { ExitCode(rawValue) }

  init(_ fault: PlaybackFault) { self = (400..<500).contains(fault.status) ? .refused : .failed }

  /// Wrong use for errors in lines of files; a failure for files that cannot be read or written.
  init(_ errors: [SettingsError]) { self = errors.contains { $0.line != nil } ? .wrongUse : .failed }
}

/// Prints an error, and returns the code for `throw` in a command.
func failure(_ outcome: Outcome, _ text: String) -> ExitCode {
  printError(text)
  return outcome.exitCode
}

/// Prints an error to standard error, with the program's name before each line.
func printError(_ text: String) {
  for line in text.split(separator: "\n") { printNote("bakelite: \(line)") }
}

func quit(_ outcome: Outcome) -> Never { exit(outcome.rawValue) }

/// Prints a line to standard error.
func printNote(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

/// Writes text to a descriptor; returns 0 or the errno of write(2).
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

func putLine(_ text: String) { put(text + "\n") }

/// Prints text to standard output. If its reader has ended, as `head` does, ends silently by SIGPIPE. After another
/// failure, prints the reason and exits with 1.
func put(_ text: String) {
  let code = write(text, to: STDOUT_FILENO)
  guard code != 0 else { return }
  if code == EPIPE {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
  }
  printError("Could not write to standard output: \(unwritten(code)).")
  quit(.failed)
}

/// Returns the reason for an errno of write(2), as a clause.
func unwritten(_ code: Int32) -> String {
  code == EPIPE ? "the program that read it ended" : errnoText(code, isCapitalized: true)
}

/// Ignores SIGPIPE, so that write(2) reports a closed reader.
func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
