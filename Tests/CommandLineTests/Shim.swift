import Foundation
import TestSupport

/// A library that comes between a program and the kernel (`LD_PRELOAD`), made of a source in Tests/Shims.
struct Shim {
  /// Whether one can be made, and means something: sanitizers stand in the same place.
  static let works = Repository.tool("clang") != nil && !Sanitizer.isOn

  /// The library's path.
  var path: String { folder.path + "/shim.so" }
  private let folder = TemporaryFolder()

  /// `libraries` are those whose functions it calls itself.
  init(_ name: String, libraries: [String] = []) throws {
    guard let compiler = Repository.tool("clang") else { throw POSIXError(.ENOENT) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: compiler)
    process.arguments =
      ["-shared", "-fPIC", "-O1", "-o", path, "\(Repository.root)/Tests/Shims/\(name).c"] + libraries.map { "-l\($0)" }
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw POSIXError(.EINVAL) }
  }
}
