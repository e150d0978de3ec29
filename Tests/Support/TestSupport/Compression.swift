import Foundation

/// Compression with programs of this machine.
public enum Compression {
  /// Returns the bytes compressed by gzip(1).
  public static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
    let folder = TemporaryFolder()
    let path = folder.path + "/body"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-9", "-n", path]
    try process.run()
    process.waitUntilExit()
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + ".gz")))
  }
}
