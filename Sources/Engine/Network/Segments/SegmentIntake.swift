import Blocks
import Framing
import Units

/// Takes packets and titles out of an HLS station's segments, which are one stream over all of them. The net thread's.
final class SegmentIntake {
  private var container = ContainerReader()
  private var framer = PacketFramer()
  /// Reads the tag that a segment of packed audio begins with.
  private var firstTag = Id3Reader()
  /// Reads the tag that is on its way in a container.
  private var timedTag = Id3Reader()
  /// The title that was read last from a tag.
  private var tagTitle: StationTitle?
  /// A title that came before its segment's first sound, or with it.
  private var waitingTitle: StationTitle?
  /// Whether a title was handed out since the last packet: each packet has one at most.
  private var hasTitle = false
  /// Whether sound of the segment came.
  private var hasSound = false
  /// How long all packets sound that were handed out.
  private(set) var delivered = StreamTime.zero
  /// Bytes since the last packet.
  private var barren = 0
  /// Whether the next packet is the first of another programme.
  private var turns = false

  /// Another segment begins.
  func begin() {
    container.begin()
    (firstTag, timedTag) = (Id3Reader(), Id3Reader())
    (waitingTitle, hasSound) = (nil, false)
  }

  /// A new connection begins: what the one before brought without a packet does not count.
  func renew() { barren = 0 }

  /// What comes next does not follow on the bytes before: a last packet without a successor is whole. Where the station
  /// itself `turns` to another programme, or what came `isWhole`, nothing is missing.
  func end(_ taker: any SegmentPacketTaker, turns: Bool = false, isWhole: Bool = false) {
    framer.finish()
    drain(taker)
    framer.reset(followsGap: delivered > .zero && !turns && !isWhole)
    self.turns = turns
  }

  /// What the segment is that came last; nil while that is not known.
  private(set) var form: StreamContainer?

  /// Why what comes cannot be played; nil while nothing speaks against it.
  var refusal: RefusedCodec? { container.refusal }

  /// Whether so much came without a packet in it that there is no sound.
  var isBarren: Bool { barren > StreamIntake.mostBarren }

  /// Takes bytes of a segment, or of what several have in common.
  func take(_ bytes: Span<UInt8>, _ taker: any SegmentPacketTaker) {
    barren += bytes.count
    if !firstTag.isOver {
      firstTag.append(bytes)
      if let title = title(of: firstTag) { taker.take(title, later: 0) }
    }
    // Who takes the packets may ask what they lay in.
    let headCount = container.form == nil ? min(ContainerReader.headByteCount, bytes.count) : 0
    if headCount > 0 {
      read(bytes.extracting(0..<headCount), taker)
      form = container.form
    }
    read(bytes.extracting(headCount..<bytes.count), taker)
    // Before the first sound nobody knows how far it is to the title's time.
    if hasSound, !hasTitle { tellTitle(taker, later: container.tagDelay) }
  }

  private func read(_ bytes: Span<UInt8>, _ taker: any SegmentPacketTaker) {
    container.read(bytes) { sound in
      hasSound = true
      feed(sound, taker)
    } tag: { bytes in
      if timedTag.isOver { timedTag = Id3Reader() }
      timedTag.append(bytes)
      guard let title = title(of: timedTag) else { return }
      if !hasTitle { tellTitle(taker) }
      waitingTitle = title
    }
  }

  private func tellTitle(_ taker: any SegmentPacketTaker, later delay: Double? = nil) {
    guard let title = waitingTitle else { return }
    (waitingTitle, hasTitle) = (nil, true)
    taker.take(title, later: delay)
  }

  private func feed(_ bytes: Span<UInt8>, _ taker: any SegmentPacketTaker) {
    var place = 0
    while place < bytes.count {
      place += framer.append(bytes.extracting(place..<bytes.count))
      drain(taker)
    }
  }

  private func drain(_ taker: any SegmentPacketTaker) {
    while framer.next({ info, packet in
      var info = info
      (info.beginsFile, turns, hasTitle) = (turns, false, false)
      packet.withUnsafeBytes { taker.take(info, $0) }
      delivered += info.duration
      barren = 0
    }) {}
  }

  /// The title of a tag that is there, once.
  private func title(of tag: Id3Reader) -> StationTitle? {
    guard tag.isOver, let track = tag.title else { return nil }
    let title = StationTitle(text: (tag.artist.map { $0 + " - " } ?? "") + track, url: nil)
    guard title != tagTitle else { return nil }
    tagTitle = title
    return title
  }
}

/// What takes the packets of segments, and the titles between them.
protocol SegmentPacketTaker: AnyObject {
  func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer)
  /// A title that begins so many seconds after the segment's first sound, or else with the next packet.
  func take(_ title: StationTitle, later delay: Double?)
}
