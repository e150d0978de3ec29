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
  }

  /// A new connection begins: what the one before brought without a packet does not count.
  func renew() { barren = 0 }

  /// What comes next does not follow on the bytes before: a last packet without a successor is whole. Where the station
  /// itself `turns` to another programme, nothing is missing.
  func end(_ taker: any SegmentPacketTaker, turns: Bool = false) {
    framer.finish()
    drain(taker)
    framer.reset(followsGap: delivered > .zero && !turns)
    self.turns = turns
  }

  /// Why what comes cannot be played; nil while nothing speaks against it.
  var refusal: RefusedCodec? { container.refusal }

  /// Whether so much came without a packet in it that there is no sound.
  var isBarren: Bool { barren > StreamIntake.mostBarren }

  /// Takes bytes of a segment, or of what several have in common.
  func take(_ bytes: Span<UInt8>, _ taker: any SegmentPacketTaker) {
    barren += bytes.count
    if !firstTag.isOver {
      firstTag.append(bytes)
      tell(firstTag, taker)
    }
    container.read(bytes) { sound in
      feed(sound, taker)
    } tag: { bytes in
      if timedTag.isOver { timedTag = Id3Reader() }
      timedTag.append(bytes)
      tell(timedTag, taker)
    }
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
      (info.beginsFile, turns) = (turns, false)
      packet.withUnsafeBytes { taker.take(info, $0) }
      delivered += info.duration
      barren = 0
    }) {}
  }

  /// Tells the title of a tag, once.
  private func tell(_ tag: Id3Reader, _ taker: any SegmentPacketTaker) {
    guard tag.isOver, let track = tag.title else { return }
    let title = StationTitle(text: (tag.artist.map { $0 + " - " } ?? "") + track, url: nil)
    guard title != tagTitle else { return }
    tagTitle = title
    taker.take(title)
  }
}

/// What takes the packets of segments, and the titles between them.
protocol SegmentPacketTaker: AnyObject {
  func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer)
  func take(_ title: StationTitle)
}
