import Blocks
@testable import Framing
@testable import Http
@testable import Network
@testable import RadioEngine
import Units

/// Processes a complete response, from its head to packets and titles.
final class Intake: FuzzTarget {
  static let name = "intake"
  static let longest = 400
  static let seeds: [[UInt8]] = [
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFB, 0x90, 0x44, 0, 3, 3, 0, 3, 3],
    [1, 100, 0, 0, 0, 0, 0, 0, 0, 0xFB, 0x90, 0x44, 0, 3, 3],
    [0, 0, 0, 0, 0, 0, 0, 1] + Array("[playlist]\nFile1=a".utf8),
  ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    var head = HttpHead(status: 200, effectiveURL: "")
    head.icy.metaint = recipe.number(0...1_000)
    head.contentType = recipe.pick(["audio/mpeg", nil, "text/html", "application/octet-stream"])
    let kind: StationRequest.AddressKind = recipe.pick([.automatic, .raw, .playlist(.pls)])
    var arrival = Recipe(recipe.take(3).span)
    let stream = recipe.flag() ? recipe.rest() : StreamRecipe(&recipe, .mpeg).bytes
    let receiver = Receiver()
    let intake = StreamIntake(kind: kind, head: head, path: "/a", followsGap: false)
    for piece in arrival.pieces(of: stream.count) { intake.process(stream.span.extracting(piece), receiver) }
    intake.finish(receiver)
    expect(intake.phase != .sniffing, "the end decides")
    expect(intake.delivered == receiver.time, "what is delivered is what was taken")
    expect(receiver.byteCount <= intake.byteCount && intake.byteCount <= stream.count, "no byte is taken twice")
    if kind == .raw, case .playlist = intake.phase { expect(false, "raw audio is no playlist") }
  }

  private final class Receiver: StreamReceiver {
    var time = StreamTime.zero
    var byteCount = 0

    func accept(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
      expect(info.byteCount == bytes.count, "a packet is as long as its bytes")
      time += info.duration
      byteCount += bytes.count
    }

    func accept(metadata block: Span<UInt8>) {
      expect(block.count <= IcyDemuxer.maxBlockByteCount && !block.isEmpty, "a block has its measure")
    }
  }
}

/// Decodes any payload as a notice of the net thread or the decode thread.
final class NoticeReading: FuzzTarget {
  static let name = "notice"
  static let longest = 300
  static let seeds: [[UInt8]] = [[1] + [UInt8](repeating: 1, count: 60), [5] + [UInt8](repeating: 0x7F, count: 80)]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let kind = UInt32(recipe.byte())
    recipe.rest().withUnsafeBytes { payload in
      _ = NetNotice.decode(kind: kind, payload)
      _ = DecodeNotice.decode(kind: kind, payload)
    }
  }
}

/// Sends notices through a ring and compares them.
final class NoticePassing: FuzzTarget {
  static let name = "notice-pass"
  static let longest = 300
  static let seeds = (0..<7).map { [UInt8($0), 200, 0, 3, 0x61, 0x62, 0x63, 2, 0x64, 0x65, 1, 2, 3, 4, 5, 6, 7, 8, 9] }

  private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: EventRing.maxPayload, alignment: 16)

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    guard let arena = try? Arena(ByteCount(70_000)) else { fatalError("The fuzzer needs memory.") }
    let ring = EventRing.make(EventRing.netByteCount, in: arena)
    var outbox = EventOutbox(ring)
    while !recipe.isOver {
      let notice = Self.notice(&recipe)
      let epoch = UInt32(recipe.byte())
      let room = recipe.flag() ? recipe.number(0...600) : scratch.count
      notice.send(
        by: &outbox, epoch: epoch, scratch: UnsafeMutableRawBufferPointer(rebasing: scratch[..<room]))
      var isThere = false
      while ring.pointee.next({ kind, payload in
        let found = NetNotice.decode(kind: kind, payload)
        // A notice is truncated if its buffer is too small.
        if room == scratch.count {
          expect(found?.epoch == epoch && found?.notice == notice, "a notice arrives as it was told")
        }
        isThere = true
      }) {}
      expect(isThere, "a notice finds room in an empty ring")
    }
  }

  private static func notice(_ recipe: inout Recipe) -> NetNotice {
    switch recipe.number(0...8) {
    case 0: return .connecting(url: recipe.text(200))
    case 1: return .title(text: recipe.longText(), url: recipe.flag() ? recipe.text(90) : nil, at: recipe.time())
    case 2:
      return .reconnecting(
        attempt: recipe.number(0...1_000), delay: Duration(nanoseconds: recipe.int64()), reason: fault(&recipe))
    case 3:
      return .stitched(
        Stitch(overlap: recipe.time(), lost: recipe.time(), isExact: recipe.flag(), isEstimated: recipe.flag()))
    case 4:
      return .fault(fault(&recipe), isFinal: recipe.flag())
    case 5: return .complete
    case 6: return .length(recipe.time())
    case 7:
      let artist = recipe.flag() ? recipe.text(90) : nil
      let title = ExternalTitle(artist: artist, track: recipe.longText(), url: recipe.flag() ? recipe.text(90) : nil)
      return .externalTitle(title, at: recipe.time())
    default:
      func text() -> String? { recipe.flag() ? recipe.text(60) : nil }
      func count() -> Int? { recipe.flag() ? recipe.number(0...100_000) : nil }
      var facts = StationFacts(
        url: recipe.text(60), name: text(), genre: text(), homePage: text(), contentType: text(),
        toldBitRate: count(), metaint: count(), isLive: recipe.flag(), byteCount: count(), isSeekable: recipe.flag())
      facts.container = StreamContainer(rawValue: recipe.number(0...5))
      if recipe.flag() {
        facts.segments = SegmentFacts(
          targetDuration: recipe.time(), window: recipe.time(),
          variants: (0..<recipe.number(0...16)).map { _ in SegmentFacts.Variant(bitRate: count(), codecs: text()) },
          chosen: count())
      }
      return .connected(facts)
    }
  }
}

private func fault(_ recipe: inout Recipe) -> PlaybackFault {
  let details: [PlaybackFault.Detail] = [
    .closed, .silence(seconds: recipe.number(0...999)), .error(.badScheme(recipe.text(90))),
    .error(.localFile(errno: Int32(recipe.number(0...130)))), .notPlayed(.encryptedHls),
    .refused(hasCredentials: recipe.flag()),
  ]
  let location = PlaybackFault.Location(host: recipe.text(90), port: recipe.number(0...65_535), path: recipe.text(90))
  return PlaybackFault(
    details[recipe.number(0...details.count - 1)], url: recipe.text(90), at: recipe.flag() ? location : nil,
    status: recipe.number(0...999))
}

extension Recipe {
  fileprivate mutating func time() -> StreamTime { StreamTime(ticks: int64()) }

  /// Creates text up to the maximum length of a title, by repeating a few characters.
  fileprivate mutating func longText() -> String {
    let count = number(0...500)
    let part = text(6)
    return DisplayText.clean(String(repeating: part, count: count))
  }
}
