import Blocks
import Units

/// What an answer shows of itself on its way: how long it is, and which bytes it is made of.
struct AnswerTrace: Equatable {
  /// Whether its server says where it ends, and nothing of a station (RFC 9112, 6.3).
  let isFinite: Bool
  /// Whether its length was told.
  let isLengthTold: Bool
  /// Whether its pace tells a file from a station: where its length was told, and where it may be an item that a client
  /// asked for.
  let showsByPace: Bool
  /// Bytes of its body so far.
  private(set) var byteCount: Int64 = 0
  /// A hash of them (FNV-1a, 64 bits).
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The trace of an answer that begins with `head`, and may be an item or not.
  init(_ head: HttpHead, mayBeItem: Bool) {
    self.init(
      isLengthTold: head.contentLength != nil, isChunked: head.isChunked, isIcy: head.isIcy, mayBeItem: mayBeItem)
  }

  /// The trace of an answer of a told length, of chunks, or of neither, from a station or not.
  init(isLengthTold: Bool, isChunked: Bool = false, isIcy: Bool = false, mayBeItem: Bool = false) {
    self.isLengthTold = isLengthTold
    isFinite = (isLengthTold || isChunked) && !isIcy
    showsByPace = (isLengthTold || mayBeItem) && !isIcy
  }

  /// Takes bytes of the body; those of a station are not hashed.
  mutating func take(_ bytes: Span<UInt8>) {
    guard isFinite else { return }
    byteCount += Int64(bytes.count)
    for index in bytes.indices { digest = (digest ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3 }
  }
}

/// Whether a programme that is taken for a live station is a file that its server did not announce as one (R1.5).
///
/// A file comes as fast as the line carries it, and it is the same each time. A station comes at the pace of its sound,
/// also one whose server gives it a length, and it goes on where it was. One answer that cannot be a file's settles
/// that the programme is a station.
struct FileEvidence {
  /// Whether an answer was a station's.
  private(set) var isStation = false
  /// The whole answer before.
  private var last: AnswerTrace?

  /// So much more than real time allows for is no station's burst.
  private static let mostBurst = StreamTime(seconds: 60)

  /// Audio comes of an answer.
  mutating func begin(_ trace: AnswerTrace) { if !trace.isFinite, !trace.showsByPace { isStation = true } }

  /// Whether an answer was a file: it ended where it was to end, after `sound` seconds of sound, for which the server
  /// needed `time` while nobody made it wait.
  mutating func isFile(_ trace: AnswerTrace, sound: StreamTime, in time: Duration) -> Bool {
    begin(trace)
    if isStation { return false }
    if comesAsFile(trace, sound: sound, in: time) || trace == last { return true }
    // It came again and was another, or nothing tells whether it came whole.
    if last != nil || !trace.isFinite { isStation = true }
    last = trace
    return false
  }

  /// Whether what came of an answer so far came faster than its sound, as what came of a file does.
  func comesAsFile(_ trace: AnswerTrace, sound: StreamTime, in time: Duration) -> Bool {
    let lead = sound - StreamTime(seconds: time.seconds)
    let isFast = lead >= min(StreamTime(ticks: sound.ticks / 2), Self.mostBurst)
    return !isStation && trace.showsByPace && isFast
  }
}
