/// `[decoding]`: settings of the decoders.
public struct DecodingSettings: Equatable, Sendable {
  /// The library that decodes MP3.
  public enum Mp3: String, Sendable, CaseIterable {
    case mad
    case mpg123
  }

  /// The library that decodes MP3.
  public var mp3 = Mp3.mad

  mutating func read(_ table: TableReader) {
    mp3 = table.word("mp3_decoder", Mp3.self) ?? mp3
    table.close()
  }
}
