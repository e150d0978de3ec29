import Foundation

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
