/// Reads audio (ADTS, LATM, MPEG audio) and timed ID3 tags from an MPEG transport stream (ISO 13818-1).
///
/// Follows the first programme with supported audio. A packet is accepted if two more packets follow, or one at the
/// beginning of the stream; then each must begin at the end of the last. Allocates only in `init`. One thread at a
/// time.
public struct TransportStreamReader: ~Copyable {
  /// Buffer size in bytes: twice the search window, so that bytes are rarely moved.
  private static var capacity: Int { 4 * TransportPacket.byteCount }

  private var buffer = [UInt8](repeating: 0, count: Self.capacity)
  private var held = 0..<0
  /// True if a packet must start at the first buffered byte.
  private var isLocked = false
  /// True if no byte came before the first buffered byte.
  private var isAtBeginning = true
  private var demuxer = TransportDemuxer()

  /// Creates a reader for a stream, joined at any byte.
  public init() {}

  /// Reason why the stream cannot be played; nil if no reason is known.
  public var refusal: RefusedCodec? { demuxer.refusal }

  /// Presentation time of the first audio since `reset`, in 90 kHz ticks, 0 ..< 2³³ (ISO 13818-1, 2.4.3.7), or nil.
  public var firstTime: UInt64? { demuxer.firstTime }

  /// Presentation time of the last tag PES packet since `reset`, in 90 kHz ticks, 0 ..< 2³³; nil if absent.
  public var tagTime: UInt64? { demuxer.tagTime }

  /// Delay of the last tags after the first audio since `reset`, in seconds, -47,722 ..< 47,722; nil if a time is
  /// absent. The clock wraps after 26.5 hours.
  public var tagDelay: Double? {
    guard let firstTime, let tagTime else { return nil }
    let ticks = Int64((tagTime &- firstTime) & (1 << 33 - 1))
    return Double(ticks < 1 << 32 ? ticks : ticks - 1 << 33) / 90_000
  }

  /// Bytes received since the last delivered audio, or since `init`; `reset` does not change the value.
  public var byteCountWithoutAudio: Int { demuxer.byteCountWithoutAudio }

  /// Reads bytes. `audio` receives ADTS or MPEG frames in pieces of any size. `tag` receives ID3 tags in pieces; the
  /// first piece of a tag contains its whole header.
  public mutating func read(_ bytes: Span<UInt8>, audio: (Span<UInt8>) -> Void, tag: (Span<UInt8>) -> Void) {
    let length = TransportPacket.byteCount
    var place = 0
    while place < bytes.count {
      if isLocked, held.isEmpty, bytes.count - place >= length, bytes[place] == TransportPacket.sync {
        demuxer.process(bytes.extracting(place..<place + length), audio: audio, tag: tag)
        place += length
      } else {
        place += fillBuffer(bytes.extracting(place..<bytes.count))
        while advance(audio, tag) {}
      }
    }
  }

  /// Drops incomplete data for a new segment or connection. Retains the tables until new tables arrive.
  public mutating func reset() {
    held = 0..<0
    isLocked = false
    isAtBeginning = true
    demuxer.reset()
  }

  private mutating func advance(_ audio: (Span<UInt8>) -> Void, _ tag: (Span<UInt8>) -> Void) -> Bool {
    guard !held.isEmpty else { return false }
    let first = held.lowerBound
    guard buffer[first] == TransportPacket.sync else {
      skip()
      return true
    }
    if isLocked {
      guard held.count >= TransportPacket.byteCount else { return false }
      let end = first + TransportPacket.byteCount
      demuxer.process(buffer, first..<end, audio: audio, tag: tag)
      held = end..<held.upperBound
      return true
    }
    for link in 1...(isAtBeginning ? 1 : 2) {
      let next = first + link * TransportPacket.byteCount
      guard next < held.upperBound else { return false }
      if buffer[next] != TransportPacket.sync {
        skip()
        return true
      }
    }
    isLocked = true
    return true
  }

  private mutating func skip() {
    held = held.lowerBound + 1..<held.upperBound
    isLocked = false
    isAtBeginning = false
    demuxer.addByteCount(1)
  }

  private mutating func fillBuffer(_ bytes: Span<UInt8>) -> Int {
    let room = (isLocked ? TransportPacket.byteCount : Self.capacity) - held.count
    let count = min(room, bytes.count)
    if held.upperBound + count > Self.capacity {
      for (place, index) in held.enumerated() { buffer[place] = buffer[index] }
      held = 0..<held.count
    }
    for index in 0..<count { buffer[held.upperBound + index] = bytes[index] }
    held = held.lowerBound..<held.upperBound + count
    return count
  }
}
