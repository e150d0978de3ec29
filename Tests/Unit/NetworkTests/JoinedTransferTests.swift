import Blocks
import Framing
import MediaSupport
import StationSupport
import Testing
import Units

@testable import Http
@testable import Network

/// Joined MP3 files without a server: the search for their parts, before the first window and during playback.
struct JoinedTransferTests {
  private static let packetTime = 1_152 / 44_100.0

  /// Frames at 128 and 64 kbit/s. `isTagged`: true for parts with figures.
  private static func joined(_ first: Int = 400, _ second: Int = 2_000, isTagged: Bool = true) -> [UInt8] {
    let parts = [
      ToneMp3.frames(first, kilobits: 128, seed: 5), ToneMp3.frames(second, kilobits: 64, seed: 6),
    ]
    return zip([first, second], parts).flatMap { count, part in
      (isTagged ? ToneMp3.infoPacket(count, byteCount: part.count, delay: 576, padding: 1_105) : []) + part
    }
  }

  private static func head(_ status: Int, from start: Int? = nil, of total: Int?, etag: String = "\"1\"") -> HttpHead {
    var head = HttpHead(status: status, effectiveURL: "http://a/song.mp3")
    (head.contentRangeStart, head.contentRangeTotal) = (start.map { Int64($0) }, total.map { Int64($0) })
    if status == 200 { head.contentLength = total.map { Int64($0) } }
    head.etag = etag
    return head
  }

  /// Passes the packets of an intake to a file.
  private final class Receiver: StreamReceiver {
    let file: FileTransfer
    private(set) var heard: [(time: StreamTime?, packet: PacketInfo)] = []

    init(_ file: FileTransfer) { self.file = file }

    func accept(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?) {
      switch file.accept(info, bytes) {
      case .dropped: break
      case .audible(let packet): heard.append((nil, packet))
      case .first(let packet, let time): heard.append((time, packet))
      }
    }
  }

  /// A file at its head: the first 8,192 bytes have arrived.
  private static func file(
    _ bytes: [UInt8], goal: Double, total: Int?? = nil
  ) -> (file: FileTransfer, receiver: Receiver) {
    let head = head(206, from: 0, of: total ?? bytes.count)
    let file = FileTransfer(head, StreamIntake(fileFrom: 0), readsHead: true, goal: StreamTime(seconds: goal))
    let receiver = Receiver(file)
    file.intake?.process(Array(bytes.prefix(8_192)).span, receiver)
    file.advance(8_192)
    return (file, receiver)
  }

  /// Sends the bytes of the current part. Returns true if the file wants another part at once.
  private static func send(_ bytes: [UInt8], _ file: FileTransfer, _ receiver: Receiver, excess: Int = 0) -> Bool {
    let count = file.partByteCount.map { $0 + excess } ?? .max
    let part = Array(bytes.dropFirst(file.nextByte).prefix(count))
    for start in stride(from: 0, to: part.count, by: 1_400) {
      let piece = Array(part[start..<min(part.count, start + 1_400)])
      file.intake?.process(piece.span, receiver)
      file.advance(piece.count)
      if file.wantsOtherPart { return true }
    }
    return false
  }

  @Test("A late start probes the end of the first part, and begins in the second", arguments: [true, false])
  func lateStart(isTagged: Bool) throws {
    let bytes = Self.joined(isTagged: isTagged)
    let (file, receiver) = Self.file(bytes, goal: 40)
    #expect(file.wantsOtherPart && file.openWindow() && file.isProbing)
    var count = 0
    while file.isProbing, count < 30 {
      count += 1
      #expect(file.nextByte + (file.partByteCount ?? 0) <= bytes.count)
      #expect(!Self.send(bytes, file, receiver) && file.end(FileProgress.End()) == .openWindow)
      #expect(file.openWindow())
    }
    #expect((isTagged ? count == 1 : count <= 20) && file.isFirstSearchWhole == true)
    #expect(file.partByteCount == nil && !file.isProbing)
    _ = Self.send(bytes, file, receiver)
    let first = try #require(receiver.heard.first?.time)
    #expect(first.seconds <= 40 - 0.45 && first.seconds > 40 - 0.6)
    guard case .begins(let length?, nil) = file.announcement(isOver: false, isFollowing: false) else {
      Issue.record("no beginning")
      return
    }
    #expect(abs(length.seconds - 2_400 * Self.packetTime) < 0.2)
    // The header of the second part plays no sound.
    #expect(receiver.heard.allSatisfy { $0.packet.byteCount == 208 })
  }

  @Test("Without a length in bytes, or with an early goal, the window opens at once", arguments: [40, 0.3])
  func noSearch(goal: Double) {
    let bytes = Self.joined()
    let (file, _) = Self.file(bytes, goal: goal, total: goal > 1 ? .some(nil) : .none)
    #expect(file.openWindow() && !file.isProbing && file.partByteCount == nil)
    #expect(file.openWindow() && !file.isProbing)
  }

  @Test("A server that ignores the end of a range is stopped, and a server without ranges ends the search")
  func otherServers() {
    let bytes = Self.joined()
    let (file, receiver) = Self.file(bytes, goal: 40)
    #expect(file.openWindow() && file.isProbing)
    #expect(Self.send(bytes, file, receiver, excess: 50_000))
    #expect(file.openWindow() && !file.isProbing && receiver.heard.isEmpty)
    #expect(abs((file.left ?? .zero).seconds) < 100)

    let (other, _) = Self.file(bytes, goal: 40)
    #expect(other.openWindow() && other.isProbing)
    for head in [Self.head(200, of: bytes.count), Self.head(416, of: bytes.count)] {
      #expect(other.evaluateHead(head, asked: other.nextByte) == .turn(.unsampled))
    }
    #expect(other.end(FileProgress.End(turn: .unsampled)) == .openWindow)
    #expect(other.openWindow() && !other.isProbing && other.partByteCount == nil)
    // The rest is estimated at the mean rate.
    #expect(other.isMapped)
  }

  @Test("A failed probe ends the search", arguments: [0, 3_000])
  func failedProbe(count: Int) {
    let bytes = Self.joined(isTagged: false)
    let (file, receiver) = Self.file(bytes, goal: 40)
    #expect(file.openWindow() && file.isProbing)
    file.intake?.process(Array(bytes[file.nextByte...].prefix(count)).span, receiver)
    file.advance(count)
    #expect(file.end(FileProgress.End(close: .passing)) == .openWindow && file.isFirstSearchWhole == false)
    #expect(file.openWindow() && !file.isProbing && file.isFirstSearchWhole == false)
    // The next try searches during playback.
    let (other, _) = Self.file(bytes, goal: 40)
    other.skipFirstSearch()
    #expect(other.openWindow() && !other.isProbing && other.isFirstSearchWhole == nil)
    #expect(other.beginPartSearch() != nil)
  }

  @Test("An interruption ends the probes, and a coded probe ends only the search")
  func interruptedProbe() {
    let bytes = Self.joined()
    let (file, _) = Self.file(bytes, goal: 40)
    #expect(file.openWindow() && file.isProbing)
    var head = Self.head(206, from: file.nextByte, of: bytes.count)
    head.contentEncoding = "x-secret"
    #expect(file.evaluateHead(head, asked: file.nextByte) == .turn(.unsampled))
    file.interruptPartSearch()
    #expect(!file.isProbing)
  }

  @Test("A probe with another version of the file ends the search")
  func otherVersion() {
    let bytes = Self.joined()
    let (file, _) = Self.file(bytes, goal: 40)
    #expect(file.openWindow() && file.isProbing)
    let head = Self.head(206, from: file.nextByte, of: bytes.count, etag: "\"2\"")
    #expect(file.evaluateHead(head, asked: file.nextByte) == .turn(.unsampled))
  }

  @Test("A seek during the first search waits for nothing, and a later search continues")
  func seekDuringSearch() throws {
    let bytes = Self.joined(isTagged: false)
    let (file, receiver) = Self.file(bytes, goal: 40)
    #expect(file.openWindow() && file.isProbing)
    #expect(!Self.send(bytes, file, receiver) && file.end(FileProgress.End()) == .openWindow)
    #expect(file.openWindow() && file.isProbing)
    let (byte, byteCount) = (file.nextByte, file.partByteCount)
    file.intake?.process(Array(bytes[file.nextByte...].prefix(1_000)).span, receiver)
    #expect(file.seek(to: StreamTime(seconds: 20)) && !file.isProbing && file.partByteCount == nil)
    var finder = try #require(file.beginPartSearch())
    #expect(!finder.needsEnd && finder.probe?.byte == byte && finder.probe?.byteCount == byteCount)
    #expect(file.beginPartSearch() == nil, "one search at a time")
    // An interrupted search continues, a finished search does not.
    let probe = try #require(finder.probe)
    let part = Array(bytes[probe.byte..<probe.byte + probe.byteCount])
    finder.process(PartSample(part.span, at: probe.byte, total: bytes.count))
    file.interruptPartSearch(at: finder)
    // Interrupted requests count: two probes were read, and one was interrupted.
    var count = 0
    while let running = file.beginPartSearch(), running.probe != nil, count < 30 {
      count += 1
      file.interruptPartSearch(at: running)
    }
    #expect(count == 16)
    _ = file.endPartSearch(.single)
    file.interruptPartSearch()
    #expect(file.beginPartSearch() == nil)
  }

  private static func parts(of bytes: [UInt8], _ finder: PartFinder) -> PartFinder.Outcome? {
    var finder = finder
    while let probe = finder.probe {
      let part = Array(bytes[probe.byte..<probe.byte + probe.byteCount])
      finder.process(PartSample(part.span, at: probe.byte, total: bytes.count))
    }
    return finder.outcome
  }

  /// A file that plays from its start, after its first 20,000 bytes.
  private static func playing(_ bytes: [UInt8]) -> (file: FileTransfer, receiver: Receiver) {
    let file = FileTransfer(
      head(200, of: bytes.count), StreamIntake(fileFrom: 0), readsHead: false, goal: .zero)
    let receiver = Receiver(file)
    file.intake?.process(Array(bytes.prefix(20_000)).span, receiver)
    file.advance(20_000)
    return (file, receiver)
  }

  @Test("A search during playback improves the length", arguments: [true, false])
  func sideSearch(isTagged: Bool) throws {
    let bytes = Self.joined(isTagged: isTagged)
    let (file, receiver) = Self.playing(bytes)
    _ = file.announcement(isOver: false, isFollowing: false)
    let finder = try #require(file.beginPartSearch())
    let outcome = try #require(Self.parts(of: bytes, finder))
    guard case .length(let length)? = file.endPartSearch(outcome).last else {
      Issue.record("no length")
      return
    }
    #expect(abs(length.seconds - 2_400 * Self.packetTime) < 0.2)
    file.intake?.process(Array(bytes.dropFirst(20_000)).span, receiver)
    file.intake?.finish(receiver)
    #expect(receiver.heard.count == 2_400 && receiver.heard.allSatisfy { $0.packet.mutedTail == 0 })
  }

  @Test("The last bytes replace the first probe of a file without figures")
  func endOfSound() throws {
    let tag = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
    let bytes = Self.joined(isTagged: false) + tag
    let (file, _) = Self.playing(bytes)
    _ = file.announcement(isOver: false, isFollowing: false)
    #expect(file.restsOnItsEnd && file.tailByteCount == 8_192)
    _ = file.evaluateTail(tail: Array(bytes.suffix(8_192)).span)
    let finder = try #require(file.beginPartSearch())
    #expect(!finder.needsEnd && finder.probe != nil)
    // Last bytes without sound are of no use.
    let long = Self.joined(isTagged: false) + Self.ape(9_000)
    let (other, _) = Self.playing(long)
    _ = other.announcement(isOver: false, isFollowing: false)
    _ = other.evaluateTail(tail: Array(long.suffix(8_192)).span)
    let later = try #require(other.beginPartSearch())
    #expect(later.needsEnd && later.outcome == nil)
    guard case .parts? = Self.parts(of: long, later) else {
      Issue.record("no parts")
      return
    }
  }

  /// APE tag of `count` bytes with head and foot.
  private static func ape(_ count: Int) -> [UInt8] {
    func mark(_ flags: UInt8) -> [UInt8] {
      let size: [UInt8] = (0..<4).map { UInt8((count + 32) >> (8 * $0) & 0xFF) }
      let rest: [UInt8] = [1, 0, 0, 0, 0, 0, 0, flags, 0, 0, 0, 0, 0, 0, 0, 0]
      return Array("APETAGEX".utf8) + [0xD0, 0x07, 0, 0] + size + rest
    }
    return mark(0xA0) + [UInt8](repeating: 0x41, count: count) + mark(0x80)
  }

  @Test("Tags after a file with figures do not lengthen it", arguments: [3_000, 60_000, 200_000])
  func longTags(count: Int) throws {
    let sound = ToneMp3.frames(400, seed: 7)
    let figures = ToneMp3.infoPacket(400, byteCount: sound.count, delay: 576, padding: 1_105)
    let bytes = figures + sound + Self.ape(count)
    let exact = (400.0 * 1_152 - 576 - 1_105) / 44_100
    // The tail is known before the padding plays.
    let (file, receiver) = Self.playing(bytes)
    _ = file.announcement(isOver: false, isFollowing: false)
    #expect(file.restsOnItsEnd)
    _ = file.evaluateTail(tail: Array(bytes.suffix(file.tailByteCount)).span)
    #expect(file.beginPartSearch() == nil)
    file.intake?.process(Array(bytes.dropFirst(20_000)).span, receiver)
    file.intake?.finish(receiver)
    let last = try #require(receiver.heard.last?.packet)
    #expect(last.mutedTail > 0, "padding")
    // A probe gives the same result.
    let (late, other) = Self.file(bytes, goal: 5)
    #expect(late.openWindow() && late.isProbing)
    _ = Self.send(bytes, late, other)
    #expect(late.openWindow() && !late.isProbing)
    _ = Self.send(bytes, late, other)
    late.intake?.finish(other)
    guard case .begins(let length?, nil) = late.announcement(isOver: true, isFollowing: false) else {
      Issue.record("no beginning")
      return
    }
    #expect(abs(length.seconds - exact) < 0.001 && (other.heard.last?.packet.mutedTail ?? 0) > 0)
  }

  @Test("A small file with tags that arrives whole plays no padding, and a small second part plays")
  func smallFile() throws {
    let sound = ToneMp3.frames(400, seed: 7)
    let figures = ToneMp3.infoPacket(400, byteCount: sound.count, delay: 576, padding: 1_105)
    let ends: [(bytes: [UInt8], count: Int)] = [
      (Self.ape(5_000), 400), (Self.ape(40_000), 400), (figures + ToneMp3.frames(100, seed: 8), 500),
      (ToneMp3.frames(100, seed: 8), 500),
    ]
    for (end, count) in ends {
      let bytes = figures + sound + end
      let (file, receiver) = Self.playing(bytes)
      file.intake?.process(Array(bytes.dropFirst(20_000)).span, receiver)
      file.intake?.finish(receiver)
      #expect(receiver.heard.count == count)
      #expect(((receiver.heard.last?.packet.mutedTail ?? 0) > 0) == (count == 400))
    }
  }

  @Test("A position estimated before the search is corrected after it")
  func correctedPosition() throws {
    let bytes = Self.joined(isTagged: false)
    let (file, receiver) = Self.playing(bytes)
    _ = file.announcement(isOver: false, isFollowing: false)
    let finder = try #require(file.beginPartSearch())
    let outcome = try #require(Self.parts(of: bytes, finder))
    // The seek uses the map so far.
    #expect(file.seek(to: StreamTime(seconds: 15)))
    let asked = file.nextByte
    _ = Self.send(bytes, file, receiver)
    let notices = file.endPartSearch(outcome)
    guard case .placed(let further)? = notices.first else {
      Issue.record("no correction: \(notices)")
      return
    }
    let sound = Double(asked - 400 * 417) / 208 * Self.packetTime + 400 * Self.packetTime
    #expect(abs(further.seconds + 15 - 0.45 - sound) < 0.1)
  }

  @Test("Counted points after the start of a part are used, also if parts are known")
  func countedPoints() throws {
    var bytes = Self.joined()
    // The positions in a part with a variable rate are estimates.
    bytes += (0..<1_500).flatMap { ToneMp3.frames(1, kilobits: $0 % 3 == 0 ? 32 : 96, seed: UInt64($0)) }
    let (file, receiver) = Self.playing(bytes)
    _ = file.announcement(isOver: false, isFollowing: false)
    let finder = try #require(file.beginPartSearch())
    let outcome = try #require(Self.parts(of: bytes, finder))
    _ = file.endPartSearch(outcome)
    #expect(file.seek(to: StreamTime(seconds: 95)))
    let asked = file.nextByte
    _ = Self.send(bytes, file, receiver)
    let stretch = try #require(file.stretchToCount)
    let last = bytes.count - (0..<1_500).reduce(0) { $0 + ($1 % 3 == 0 ? 104 : 313) }
    #expect(abs(stretch.from.byte - last) < 2, "the start of the last part")
    file.count(last + 30_000, at: StreamTime(seconds: 70))
    #expect(try #require(file.stretchToCount).from.byte == last + 30_000 && asked > last + 30_000)
  }
}
