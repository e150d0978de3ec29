import Blocks
import Framing
import StationSupport
import Testing
import Units

@testable import Http
@testable import Network

/// A file without a server: results for response heads and packets.
struct FileTransferTests {
  private static let clip = Clip.mp3(6)

  private static func head(
    _ status: Int = 200, length: Int? = nil, from start: Int? = nil, of total: Int? = nil, etag: String? = "\"1\"",
    coding: String? = nil
  ) -> HttpHead {
    var head = HttpHead(status: status, effectiveURL: "http://a/song.mp3")
    (head.contentLength, head.contentRangeStart) = (length.map { Int64($0) }, start.map { Int64($0) })
    head.contentRangeTotal = total.map { Int64($0) }
    (head.etag, head.contentEncoding) = (etag, coding)
    return head
  }

  private static func file(readsHead: Bool = false, goal: Double = 0) -> FileTransfer {
    let count = clip.bytes.count
    let head = readsHead ? head(206, from: 0, of: count) : head(length: count)
    return FileTransfer(head, StreamIntake(fileFrom: 0), readsHead: readsHead, goal: StreamTime(seconds: goal))
  }

  /// Sends packets. Returns the first audible time and the number of audible packets.
  private func take(_ packets: some Sequence<Clip.Packet>, _ file: FileTransfer) -> (first: Double?, count: Int) {
    var (first, count): (Double?, Int) = (nil, 0)
    for packet in packets {
      switch packet.bytes.withUnsafeBytes({ file.accept(packet.info, $0) }) {
      case .dropped: continue
      case .first(_, let time): (first, count) = (time.seconds, count + 1)
      case .audible: count += 1
      }
    }
    return (first, count)
  }

  @Test("An engine released during a count is not retained")
  func goesWhileCounting() throws {
    weak var gone: HttpEngine?
    do {
      let engine = try HttpEngine()
      gone = engine
      let scanner = try ExactSeekScanner(
        Self.file(), (from: ExactSeekIndex.Point(byte: 0, time: .zero), to: 100),
        HttpRequest(url: "http://127.0.0.1:1/"), engine, at: .zero, onArrival: { _ in }, onEnd: {})
      var counter = SideRequest.underWay(scanner)
      #expect(counter.isBegun)
      counter.reset()
      #expect(!counter.isBegun)
    }
    #expect(gone == nil)
  }

  /// Passes the packets of an intake to a file.
  private final class Receiver: StreamReceiver {
    var file: FileTransfer?
    private(set) var count = 0

    func accept(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?) {
      count += 1
      _ = file?.accept(info, bytes)
    }
  }

  private static func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(content.count) + content
  }

  /// A WAV file after its first bytes. `before`: a chunk before the samples, `after`: the chunks after them.
  private static func wav(_ before: [UInt8], after: [UInt8]) -> FileTransfer {
    let format: [UInt8] = [1, 0, 2, 0, 0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 16, 0]
    let start = Array("RIFF".utf8) + little(0) + Array("WAVE".utf8) + chunk("fmt ", format) + before
    let bytes = start + chunk("data", [UInt8](repeating: 1, count: 40_000)) + after
    let head = head(length: bytes.count)
    let intake = StreamIntake(
      kind: .automatic, head: head, path: "/song.wav", followsGap: false, text: TitleText(encoding: nil))
    let receiver = Receiver()
    let file = FileTransfer(head, intake, readsHead: false, goal: .zero)
    receiver.file = file
    intake.process(Array(bytes.prefix(20_000)).span, receiver)
    file.readTag()
    return file
  }

  /// Chunks before and after the samples, the bytes to request, and the title.
  static let chunkRows: [(before: [UInt8], after: [UInt8], byteCount: Int?, title: String?)] = {
    let title = chunk("LIST", Array("INFO".utf8) + chunk("INAM", Array("A song".utf8)))
    let picture = chunk("junk", [UInt8](repeating: 2, count: 100_000))
    return [
      ([], title, title.count, "A song"), ([], title + picture, title.count + picture.count, "A song"),
      ([], picture + title, title.count + picture.count, nil), (title, title, nil, "A song"), ([], [], nil, nil),
      ([], [0, 0, 0, 0], nil, nil),
    ]
  }()

  /// Garbage before the audio, and after its 50th packet.
  static let garbage: [(before: [UInt8], between: [UInt8])] = {
    let zeros = [UInt8](repeating: 0, count: 2_000_000)
    let picture = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919 >> 3) & 0x7F }
    // A tag with its size in eight bits per byte, and a tag that is too short.
    let plain = Array("ID3".utf8) + [3, 0, 0, 0, 6, 0x80, 0] + picture
    let short = Array("ID3".utf8) + [3, 0, 0, 0, 0, 7, 0x68] + picture
    return [
      (Array(zeros.prefix(300_000)), []), (zeros, []), (plain, []), (short, []), ([], Array(zeros.prefix(700_000))),
      (picture, picture + picture),
    ]
  }()

  @Test("Garbage of any length is skipped in a file of known length, but not at a station", arguments: garbage.indices)
  func searchesFile(index: Int) {
    let (before, between) = Self.garbage[index]
    let packets = Self.clip.packets.map(\.bytes)
    let bytes = before + packets.prefix(50).flatMap(\.self) + between + packets.dropFirst(50).flatMap(\.self)
    for isFile in [true, false] {
      let intake = StreamIntake(
        kind: .raw, head: Self.head(length: bytes.count), path: nil, followsGap: false, text: TitleText(encoding: nil))
      if isFile { intake.searchFile(of: bytes.count) }
      let receiver = Receiver()
      for start in stride(from: 0, to: bytes.count, by: 16_384) {
        intake.process(Array(bytes[start..<min(bytes.count, start + 16_384)]).span, receiver)
      }
      intake.finish(receiver)
      #expect(isFile ? receiver.count >= packets.count - 2 : receiver.count <= 50)
      #expect(intake.phase == (isFile ? .audio : .unknown))
    }
  }

  @Test("Chunks after the samples are requested if no title is known, and give the title", arguments: chunkRows.indices)
  func chunksAfterSamples(index: Int) {
    let (before, after, byteCount, title) = Self.chunkRows[index]
    let file = Self.wav(before, after: after)
    #expect(file.restsOnItsEnd == (byteCount != nil) && file.tags.areInChunks == (byteCount != nil))
    if let byteCount {
      #expect(file.tailByteCount == byteCount)
      _ = file.evaluateTail(tail: Array(after.prefix(FileTransfer.maxTailByteCount)).span)
    }
    #expect(file.tags.title?.track == title)
  }

  /// Response heads for a request from byte 5,000, and the results.
  static let answers: [(head: HttpHead, answer: FileTransfer.HeadResult)] = {
    let count = clip.bytes.count
    return [
      (head(206, from: 5_000, of: count), .part(skip: 0)), (head(206, from: 4_000, of: count), .part(skip: 1_000)),
      (head(206, from: 5_001, of: count), .wrongPart), (head(206, from: nil, of: count), .wrongPart),
      (head(length: count), .part(skip: 5_000)), (head(length: count + 1), .turn(.changed)),
      (head(206, from: 5_000, of: count + 1), .turn(.changed)), (head(length: count, etag: "\"2\""), .turn(.changed)),
      (head(length: count, coding: "x"), .turn(.coded)), (head(404), .any), (head(500), .any),
      (head(416, of: 5_000), .turn(.end)), (head(416, of: count), .turn(.changed)), (head(416), .turn(.changed)),
    ]
  }()

  @Test("A response head gives the file's bytes, or another version", arguments: answers.indices)
  func answered(index: Int) {
    let (head, expected) = Self.answers[index]
    let file = Self.file()
    _ = take(Self.clip.packets.prefix(20), file)
    file.advance(5_000)
    #expect(file.evaluateHead(head, asked: 5_000) == expected)
  }

  @Test("A server without ranges sends the whole file, and bytes before the goal are skipped")
  func readThrough() {
    let file = Self.file(readsHead: true, goal: 3)
    _ = take(Self.clip.packets.prefix(30), file)
    // The first request further on searches for parts.
    #expect(file.openWindow() && file.isProbing)
    #expect(file.end(FileProgress.End(turn: .unsampled)) == .openWindow)
    #expect(file.openWindow() && file.nextByte > 10_000)
    let asked = file.nextByte
    #expect(file.evaluateHead(Self.head(length: Self.clip.bytes.count), asked: asked) == .whole)
    #expect(file.nextByte == 0)
    let heard = take(Self.clip.packets, file)
    #expect(abs((heard.first ?? 0) - 2.55) < 0.03 && heard.count < Self.clip.packets.count / 2 + 20)
  }

  @Test("A file is reported with its length, and again if that changes by over 1 %")
  func announcement() throws {
    let file = Self.file()
    #expect(file.announcement(isOver: false, isFollowing: false) == nil)
    let heard = take(Self.clip.packets, file)
    #expect(heard.first == 0 && heard.count == Self.clip.packets.count)
    guard case .begins(let length?, nil) = try #require(file.announcement(isOver: false, isFollowing: false)) else {
      Issue.record("no beginning")
      return
    }
    #expect(abs(length.seconds - Self.clip.duration) < 0.03)
    #expect(file.isAnnounced && file.announcement(isOver: false, isFollowing: false) == nil)
  }

  @Test("A follower's position stays until a seek")
  func place() {
    let file = Self.file()
    let place = FilePlace(base: StreamTime(seconds: 90), border: StreamTime(seconds: 90))
    let packets = Self.clip.packets
    _ = take(packets.prefix(1), file)
    file.setPlace(at: place)
    _ = take(packets.dropFirst().prefix(60), file)
    guard case .begins(_, place) = file.announcement(isOver: false, isFollowing: false) else {
      Issue.record("it lies elsewhere")
      return
    }
    #expect(file.seek(to: StreamTime(seconds: 3)) && !file.hasStarted)
  }
}
