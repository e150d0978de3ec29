import Foundation
import TestSupport

/// Threads of a program that stand still until `resume`, by ptrace(2).
final class StoppedThreads {
  /// False where the kernel refuses ptrace(2), and with a sanitizer.
  static let isPermitted = Shim.works && isAllowed()

  /// Number of the stopped threads.
  let count: Int
  private let process = Process()
  private let input = Pipe()

  /// Stops the threads with these names. Throws if ptrace(2) is refused, or if a program has no such thread.
  init(_ names: [String], of program: Int32) throws {
    let tool = try Self.tool.get()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: tool.path)
    process.arguments = ["\(program)"] + names
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard line.hasPrefix("stopped "), let count = Int(line.dropFirst(8).filter(\.isNumber)) else {
      process.waitUntilExit()
      throw POSIXError(process.terminationStatus == 3 ? .EPERM : .ESRCH)
    }
    self.count = count
  }

  deinit { resume() }

  /// Continues the threads.
  func resume() {
    guard process.isRunning else { return }
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  private static let tool = Result { try Shim(program: "stopthreads") }

  /// Stops a child for a moment.
  private static func isAllowed() -> Bool {
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/bin/sleep")
    child.arguments = ["60"]
    guard (try? child.run()) != nil else { return false }
    defer { kill(child.processIdentifier, SIGKILL) }
    return (try? StoppedThreads(["sleep"], of: child.processIdentifier))?.count == 1
  }
}
