import Glibc

/// The file of the web panel's code. Only its owner can read it. The file is replaced atomically.
public struct WebCodeFile: Sendable {
  private let file: KeptFile

  /// The path: `web-code` in the folder of `[state] path`.
  public var path: String { file.path }

  /// Uses the file in a folder, which must exist before `save`.
  public init(folder: String) {
    file = KeptFile(
      path: folder + "/web-code", byteLimit: 4_096, damage: "its code is damaged",
      consequence: "another one is drawn where the web panel is on")
  }

  /// Reads the code. `code` is nil if no usable file exists. A broken file is renamed to `web-code.broken`, and
  /// `problem` describes the fault.
  public func load() -> (code: WebCode?, problem: SettingsError?) {
    let (code, problem) = file.load { WebCode($0) }
    return (code, problem)
  }

  /// Writes a code (`rename(2)`). If `code` is nil, removes the file (`unlink(2)`). If it throws, the old file stays.
  /// Only for threads that may block.
  public func save(_ code: WebCode?) throws(SettingsError) {
    if let code { return try file.save(code.fileText) }
    guard unlink(path) == 0 || errno == ENOENT else { throw SettingsError(path, cannot: "removed", errno: errno) }
  }
}
