/// The results of the last starts, to leave out a setting that keeps the box from starting.
public struct StartRecord: Equatable, Sendable {
  /// Number of starts in a row that ended within a minute.
  public var failureCount = 0
  /// The owner's settings during the last start that lasted a minute, in TOML syntax by key; nil before the first.
  public var good: [String: String]?

  /// The settings that can end a start.
  private static let keys = ["audio.buffer_ms", "audio.period_ms", "buffer.blocks", "decoding.mp3_decoder"]
  /// Number of failed starts after which changed settings are left out.
  private static let maxFailureCount = 2

  /// Creates the record of a new box.
  public init() {}

  /// Returns the changes that restore the last good settings; empty unless the last starts failed. Before the first
  /// start that lasted, the settings of the file are the good ones.
  public func repairs(of owner: OwnerSettings) -> [(key: String, value: String?)] {
    guard failureCount >= Self.maxFailureCount else { return [] }
    let good = good ?? [:]
    return Self.keys.filter { owner.values[$0] != good[$0] }.map { ($0, good[$0]) }
  }
}

/// The file of the start record.
package typealias StartFile = KeptFile<StartRecord>

extension StartRecord: KeptContent {
  package static var place: KeptPlace {
    KeptPlace(
      name: "starts", byteLimit: 64 << 10, damage: "the results of the last starts are damaged",
      consequence: "they count from now on")
  }

  package var fileText: String {
    CheckedText.text(
      Self.format,
      ["failures=\(failureCount)", "lasted=\(good == nil ? "no" : "yes")"]
        + (good ?? [:]).sorted { $0.key < $1.key }.map { "good=\($0.key) \(CheckedText.value($0.value))" })
  }

  package init?(_ bytes: [UInt8]) {
    guard let pairs = CheckedText.pairs(bytes, Self.format, most: 1_000) else { return nil }
    self.init()
    for (key, value) in pairs {
      switch key {
      case "failures":
        guard let count = Int(value), count >= 0 else { return nil }
        failureCount = count
      case "lasted": good = value == "yes" ? good ?? [:] : nil
      case "good":
        let words = value.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return nil }
        good = (good ?? [:]).merging([String(words[0]): String(words[1])]) { $1 }
      default: break
      }
    }
  }

  private static var format: String { "bakelite-starts 1" }
}
