import Foundation

/// A program of the toolchain, as a child process.
struct Tool {
  let path: String

  /// The first of these names that is found in PATH.
  init?(_ names: String...) {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    let paths = names.flatMap { name in folders.map { "\($0)/\(name)" } }
    guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else { return nil }
    self.path = path
  }

  static let compiler = Tool("swiftc")
  static let disassembler = Tool("llvm-objdump", "objdump")

  /// Runs it to its end; what it wrote to both outputs, together.
  func run(_ arguments: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    // A test's thread blocks signals, and a child takes that over: nothing could end it.
    var none = sigset_t()
    var blocked = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &blocked)
    defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
    try process.run()
    let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
