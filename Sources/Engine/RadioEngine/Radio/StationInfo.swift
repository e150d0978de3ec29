import Network

/// The server's facts about a station or file, with measured values.
public struct StationInfo: Equatable, Sendable {
  /// The facts that the server sent.
  public var facts: StationFacts
  /// The codec, such as "MP3".
  public var codec: String
  /// The announced bit rate in kbit/s, otherwise the measured one; nil if unknown.
  public var bitRate: Int?
  /// Decoded frames per second.
  public var sampleRate: Int
  /// Decoded channels.
  public var channels: Int
}
