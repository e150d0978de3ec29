/// The set-up that a decoder needs before the first packet, for streams whose packets do not contain it.
public struct CodecSetup: Hashable, Sendable {
  /// The codec.
  public let codec: Codec
  /// The raw headers.
  /// - Vorbis: the identification and set-up headers (Vorbis I, 4.2).
  /// - Opus: the identification header (RFC 7845, 5.1).
  /// - FLAC: the 34 bytes of STREAMINFO (RFC 9639, 8.2).
  /// - PCM: the content of a WAV file's `fmt ` chunk, or an AIFF file's COMM chunk without its length.
  public let headers: [[UInt8]]

  /// Creates a set-up.
  public init(_ codec: Codec, _ headers: [[UInt8]]) { (self.codec, self.headers) = (codec, headers) }

  /// Number of bytes in all headers.
  public var byteCount: Int { headers.reduce(0) { $0 + $1.count } }

  /// Maximum size of all headers, in bytes; a Vorbis encoder writes 4 to 8 KB.
  public static let maxBytes = 65_536
}
