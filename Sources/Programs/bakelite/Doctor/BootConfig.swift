import Settings

/// The overlay lines of a Raspberry Pi's `config.txt`.
struct BootConfig {
  let path: String
  private let lines: [Substring]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0.isWhitespace }.prefix { $0 != "#" } }
      .map { line in line.lastIndex { !$0.isWhitespace }.map { line[...$0] } ?? "" }
  }

  /// This machine's file; nil if it is not a Pi.
  static var own: BootConfig? {
    for path in ["/boot/firmware/config.txt", "/boot/config.txt"] {
      guard let bytes = try? SmallFile.read(path, limit: 1 << 20) else { continue }
      return BootConfig(path: path, text: String(decoding: bytes, as: UTF8.self))
    }
    return nil
  }

  func lacks(_ wanted: [String]) -> [String] { wanted.filter { !has($0[...]) } }

  /// Returns true if the file has the line, possibly with more parameters.
  private func has(_ wanted: Substring) -> Bool {
    lines.contains { line in
      if line == wanted || line.hasPrefix(wanted + ",") { return true }
      // One line may contain several of these parameters.
      let key = "dtparam="
      return line.hasPrefix(key) && wanted.hasPrefix(key)
        && line.dropFirst(key.count).split(separator: ",").contains(wanted.dropFirst(key.count))
    }
  }

  /// Returns the command that adds a board's missing lines, nil if the file has all. Without a file, adds all lines.
  static func mend(_ config: BootConfig?, _ overlay: [String]) -> String? {
    let lacking = config?.lacks(overlay) ?? overlay
    guard !lacking.isEmpty else { return nil }
    let words = lacking.map(\.shellQuoted).joined(separator: " ")
    let command = "printf '%s\\n' \(words) | sudo tee -a \(config?.path ?? "/boot/firmware/config.txt") && sudo reboot"
    return config == nil ? "on a Raspberry Pi: \(command)" : command
  }
}
