import Foundation
import Glibc

/// Programs of others that read what we write.
public enum Player {
  /// What a player that decodes the whole of a file complains of; nil where it is not installed.
  public static func complaints(_ name: String, _ path: String) -> String? {
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

/// The sanitizer that this process runs under, if any: some measures mean nothing then.
public enum Sanitizer {
  /// Whether AddressSanitizer or ThreadSanitizer is linked in; both keep memory of their own.
  public static let isOn = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}

/// The processor that tests run on.
public enum Processor {
  /// How many times as long a computation may take here as on the machines that the bounds of tests are for: 1, or what
  /// `BAKELITE_SLOWNESS` says where an emulator runs the tests.
  public static let slowness = ProcessInfo.processInfo.environment["BAKELITE_SLOWNESS"].flatMap { Double($0) } ?? 1
}

/// Gives `body` the address of a socket in the file system, and its size.
public func withUnixAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  return withUnsafePointer(to: address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
  }
}
