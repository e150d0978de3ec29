import Blocks
import Http
import Units

/// Properties of a response that distinguish a file from a station: its length, and a hash of its body.
struct ResponseTrace: Equatable {
  /// True if the server marks the end of the body (RFC 9112, 6.3) and is not an ICY server.
  let isFinite: Bool
  let isLengthKnown: Bool
  /// True for an ICY server.
  let isIcy: Bool
  /// True for an ICY server that does not mark the end of the body, as stations do.
  let isEndless: Bool
  /// True if the pace can prove a file: the length is known, or the request allows an item
  /// (`StationRequest.mayBeItem`). False for an ICY server.
  let canProveByPace: Bool
  /// Bytes of the body so far; 0 unless `isFinite`.
  private(set) var byteCount: Int64 = 0
  /// Hash of the body (FNV-1a, 64 bits).
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

  init(_ head: HttpHead, mayBeItem: Bool) {
    self.init(
      isLengthKnown: head.contentLength != nil, isChunked: head.isChunked, isIcy: head.isIcy, mayBeItem: mayBeItem)
  }

  init(isLengthKnown: Bool, isChunked: Bool = false, isIcy: Bool = false, mayBeItem: Bool = false) {
    self.isLengthKnown = isLengthKnown
    self.isIcy = isIcy
    isEndless = isIcy && !isLengthKnown && !isChunked
    isFinite = (isLengthKnown || isChunked) && !isIcy
    canProveByPace = (isLengthKnown || mayBeItem) && !isIcy
  }

  mutating func append(_ bytes: Span<UInt8>) {
    guard isFinite else { return }
    byteCount += Int64(bytes.count)
    for index in bytes.indices { digest = (digest ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3 }
  }
}

/// Recognises a file that its server did not announce, in a programme treated as a live station (R1.5). A file arrives
/// as fast as the network allows, with the same bytes each time. A station arrives at the pace of its audio, even with
/// a length, and continues with each response. One response that cannot be a file proves a station.
struct FileEvidence {
  private(set) var isStation = false
  private var last: ResponseTrace?

  /// Maximum burst of a station. More audio ahead of real time proves a file.
  private static let maxBurst = StreamTime(seconds: 60)

  mutating func record(_ trace: ResponseTrace) { if !trace.isFinite, !trace.canProveByPace { isStation = true } }

  /// Evaluates a complete response and returns true for a file. `time`: time that the server needed, without pauses.
  mutating func isFile(_ trace: ResponseTrace, sound: StreamTime, in time: Duration) -> Bool {
    record(trace)
    if isStation { return false }
    if arrivesLikeFile(trace, sound: sound, in: time) || trace == last { return true }
    // The second response differs from the first, or cannot be proven complete.
    if last != nil || !trace.isFinite { isStation = true }
    last = trace
    return false
  }

  func arrivesLikeFile(_ trace: ResponseTrace, sound: StreamTime, in time: Duration) -> Bool {
    let lead = sound - StreamTime(seconds: time.seconds)
    let isFast = lead >= min(StreamTime(ticks: sound.ticks / 2), Self.maxBurst)
    return !isStation && trace.canProveByPace && isFast
  }
}
