/// Separates the metadata of an ICY stream from its audio. After each `metaint` bytes of audio, a byte states the
/// length of a metadata block in units of 16 bytes. Reserves memory once, in `init`. One thread at a time.
public struct IcyDemuxer: ~Copyable {
  /// Maximum length of a block, in bytes.
  public static var maxBlockByteCount: Int { 255 * 16 }

  private enum Expected {
    case audio(Int)
    case length
    case block(rest: Int)
  }

  private let metaint: Int
  private var expected: Expected
  private var block: [UInt8]
  private var blockCount = 0

  /// Creates a demuxer for a stream with this `icy-metaint`; 0 or less means audio without metadata.
  public init(metaint: Int) {
    self.metaint = max(0, metaint)
    expected = .audio(self.metaint)
    block = [UInt8](repeating: 0, count: metaint > 0 ? Self.maxBlockByteCount : 0)
  }

  /// Passes on the audio in place and in order, and each complete metadata block. Skips empty blocks ("no change").
  public mutating func demux(
    _ bytes: Span<UInt8>, audio: (Span<UInt8>) -> Void, metadata: (Span<UInt8>) -> Void
  ) {
    if metaint == 0 {
      if !bytes.isEmpty { audio(bytes) }
      return
    }
    var place = 0
    while place < bytes.count {
      switch expected {
      case .audio(let rest):
        let count = min(rest, bytes.count - place)
        audio(bytes.extracting(place..<place + count))
        place += count
        expected = count == rest ? .length : .audio(rest - count)
      case .length:
        let length = Int(bytes[place]) * 16
        place += 1
        blockCount = 0
        expected = length == 0 ? .audio(metaint) : .block(rest: length)
      case .block(let rest):
        let count = min(rest, bytes.count - place)
        for index in 0..<count { block[blockCount + index] = bytes[place + index] }
        place += count
        blockCount += count
        expected = count == rest ? .audio(metaint) : .block(rest: rest - count)
        if count == rest { metadata(block.span.extracting(0..<blockCount)) }
      }
    }
  }
}
