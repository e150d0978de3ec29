import Settings

/// A Raspberry Pi's `config.txt`, as far as a board's overlays go.
struct BootConfig {
  /// Where it is.
  let path: String
  private let lines: [Substring]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0.isWhitespace }.prefix { $0 != "#" } }
      .map { line in line.lastIndex { !$0.isWhitespace }.map { line[...$0] } ?? "" }
  }

  /// That of this machine; nil where it is no Pi.
  static var own: BootConfig? {
    for path in ["/boot/firmware/config.txt", "/boot/config.txt"] {
      guard let bytes = try? SmallFile.read(path, limit: 1 << 20) else { continue }
      return BootConfig(path: path, text: String(decoding: bytes, as: UTF8.self))
    }
    return nil
  }

  /// Which of a board's lines it does not have.
  func lacks(_ wanted: [String]) -> [String] { wanted.filter { !has($0[...]) } }

  /// Whether it has a line, with more parameters or without.
  private func has(_ wanted: Substring) -> Bool {
    lines.contains { line in
      if line == wanted || line.hasPrefix(wanted + ",") { return true }
      // Several of these may stand on one line.
      let key = "dtparam="
      return line.hasPrefix(key) && wanted.hasPrefix(key)
        && line.dropFirst(key.count).split(separator: ",").contains(wanted.dropFirst(key.count))
    }
  }

  /// The command that adds what a board needs; nil where all of it is there.
  static func mend(_ config: BootConfig?, _ overlay: [String]) -> String? {
    let lacking = config?.lacks(overlay) ?? overlay
    guard !lacking.isEmpty else { return nil }
    let words = lacking.map(\.shellQuoted).joined(separator: " ")
    let command = "printf '%s\\n' \(words) | sudo tee -a \(config?.path ?? "/boot/firmware/config.txt") && sudo reboot"
    return config == nil ? "\(command)   # on a Raspberry Pi" : command
  }
}
