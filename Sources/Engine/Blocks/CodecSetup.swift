/// What a decoder has to know before the first packet of a stream, where the packets do not tell.
public struct CodecSetup: Hashable, Sendable {
  /// Whose it is.
  public let codec: Codec
  /// The headers, each as it came: of Vorbis the identification and the set-up header (Vorbis I, 4.2), of Opus its
  /// identification header (RFC 7845, 5.1), of FLAC the 34 bytes of STREAMINFO (RFC 9639, 8.2), of PCM what a WAV
  /// file's `fmt ` chunk holds.
  public let headers: [[UInt8]]

  /// A set-up for a codec's decoder.
  public init(_ codec: Codec, _ headers: [[UInt8]]) { (self.codec, self.headers) = (codec, headers) }

  /// Bytes of all headers.
  public var byteCount: Int { headers.reduce(0) { $0 + $1.count } }

  /// More than this no stream needs, in bytes: a Vorbis encoder's set-up takes 4 to 8 KB.
  public static let mostBytes = 65_536
}
