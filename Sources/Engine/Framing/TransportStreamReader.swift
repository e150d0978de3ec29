/// Reads the sound and the timed ID3 tags of the first programme of an MPEG transport stream (ISO 13818-1) that has
/// sound we play: ADTS, LATM, and MPEG audio.
///
/// A packet is believed where two more follow it, or one at the stream's beginning; from there on each that begins
/// where the last one ended. Memory is reserved once, at `init`. One thread at a time.
public struct TransportStreamReader: ~Copyable {
  /// After so many bytes without sound, a stream holds none.
  public static var mostBarren: Int { 512 << 10 }
  /// Twice what the search for a packet looks at, so that bytes are seldom moved to the front.
  private static var capacity: Int { 4 * TransportPacket.byteCount }

  private var buffer = [UInt8](repeating: 0, count: Self.capacity)
  private var held = 0..<0
  /// A packet must stand at the first held byte.
  private var isLocked = false
  /// Nothing came before the first held byte.
  private var isAtBeginning = true
  private var demuxer = TransportDemuxer()

  /// A reader at the beginning of a stream, or at any byte of one.
  public init() {}

  /// Why what it found cannot be played; nil while nothing speaks against it.
  public var refusal: RefusedCodec? { demuxer.refusal }

  /// The presentation time of the first PES packet of sound since `reset`, in 90 kHz, 0 ..< 2³³; nil before it, and
  /// where it told none (ISO 13818-1 2.4.3.7).
  public var firstTime: UInt64? { demuxer.firstTime }

  /// The presentation time of the last PES packet of tags since `reset`, in 90 kHz, 0 ..< 2³³; nil before it, and where
  /// it told none.
  public var tagTime: UInt64? { demuxer.tagTime }

  /// How long after the first sound since `reset` the tags are due that came last, in seconds, -47,722 ..< 47,722, as
  /// the clock goes around in 26.5 hours; nil where that is not told.
  public var tagDelay: Double? {
    guard let firstTime, let tagTime else { return nil }
    let ticks = Int64((tagTime &- firstTime) & (1 << 33 - 1))
    return Double(ticks < 1 << 32 ? ticks : ticks - 1 << 33) / 90_000
  }

  /// Bytes that came since sound was handed on, or else since `init`; `reset` does not change it.
  public var byteCountWithoutSound: Int { demuxer.byteCountWithoutSound }

  /// Takes bytes. Sound goes to `audio` as ADTS or MPEG frames in any pieces, timed ID3 tags to `tag` in pieces of
  /// which each tag's first holds its whole head, both in the order of the stream.
  public mutating func read(_ bytes: Span<UInt8>, audio: (Span<UInt8>) -> Void, tag: (Span<UInt8>) -> Void) {
    let length = TransportPacket.byteCount
    var place = 0
    while place < bytes.count {
      if isLocked, held.isEmpty, bytes.count - place >= length, bytes[place] == TransportPacket.sync {
        demuxer.take(bytes.extracting(place..<place + length), audio: audio, tag: tag)
        place += length
      } else {
        place += hold(bytes.extracting(place..<bytes.count))
        while advance(audio, tag) {}
      }
    }
  }

  /// Forgets what is cut off, because a new segment or connection begins. What the tables said stays until others come.
  public mutating func reset() {
    held = 0..<0
    isLocked = false
    isAtBeginning = true
    demuxer.reset()
  }

  /// Deals with the first held bytes; false when more are needed.
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
      demuxer.take(buffer, first..<end, audio: audio, tag: tag)
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

  /// Passes one byte, at which no packet begins.
  private mutating func skip() {
    held = held.lowerBound + 1..<held.upperBound
    isLocked = false
    isAtBeginning = false
    demuxer.pass(1)
  }

  /// Takes as many bytes as are looked at next, at least one, and says how many.
  private mutating func hold(_ bytes: Span<UInt8>) -> Int {
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
