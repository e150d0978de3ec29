import Glibc

/// The file in which the code of the web panel lies; its owner alone can read it, and it is whole at any moment.
public struct WebCodeFile: Sendable {
  private let file: KeptFile

  /// Its path: `web-code` in the folder that `[state] path` names.
  public var path: String { file.path }

  /// The file in a folder, which has to be there before it is written.
  public init(folder: String) {
    file = KeptFile(
      path: folder + "/web-code", byteLimit: 4_096, damage: "the code that it holds is damaged",
      consequence: "another one is drawn where the web panel is on")
  }

  /// The code; nil where there is none. `problem` is a sentence where a file was there and could not be used; that is
  /// set aside as `web-code.broken`.
  public func load() -> (code: WebCode?, problem: SettingsError?) {
    let (code, problem) = file.load { WebCode($0) }
    return (code, problem)
  }

  /// Keeps a code (`rename(2)`), or takes the file away where it is nil (`unlink(2)`); not on a thread that may not
  /// wait.
  ///
  /// - Throws: `SettingsError` where that cannot be; then the file stays as it was.
  public func save(_ code: WebCode?) throws(SettingsError) {
    if let code { return try file.save(code.fileText) }
    guard unlink(path) == 0 || errno == ENOENT else { throw SettingsError(path, cannot: "removed", errno: errno) }
  }
}
