import Foundation
import Glibc

/// Other programs that read our files.
public enum Player {
  /// Returns the error output of a player that decodes the whole file; nil if it is not installed.
  public static func errorOutput(_ name: String, _ path: String) -> String? {
    guard let tool = Repository.tool(name) else { return nil }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = name == "ffmpeg" ? ["-v", "error", "-i", path, "-f", "null", "-"] : ["-q", "-t", path]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = pipe
    guard (try? process.run()) != nil else { return nil }
    let words = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: words, as: UTF8.self)
    return process.terminationStatus == 0 ? text : "exit code \(process.terminationStatus) \(text)"
  }
}

/// The sanitizer of this process: some measurements are invalid with a sanitizer.
public enum Sanitizer {
  /// True if AddressSanitizer or ThreadSanitizer is linked in; both reserve their own memory.
  public static let isOn = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}

/// The processor of this machine.
public enum Processor {
  /// Factor for the time limits of computations: `BAKELITE_SLOWNESS`, which emulators set, or 1.
  public static let slowness = ProcessInfo.processInfo.environment["BAKELITE_SLOWNESS"].flatMap { Double($0) } ?? 1
}

/// Calls `body` with the address of a Unix socket and its size.
public func withUnixAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  return withUnsafePointer(to: address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
  }
}
