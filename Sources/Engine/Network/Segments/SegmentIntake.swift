import Blocks
import Framing
import Units

/// Extracts packets and titles from the segments of an HLS station, as one stream. Net thread only.
final class SegmentIntake {
  private var container = ContainerReader()
  private var framer = PacketFramer()
  private var packedTags = PackedTagCutter()
  private var packedTag = Id3Reader()
  /// The title of a tag in packed audio; it begins with the next packet.
  private var packedTitle: StationTitle?
  private var isPacked = true
  /// True after the first packet of the segment.
  private var hasPacket = false
  private var timedTag = Id3Reader()
  /// Title that waits for the first audio of its segment, or for the next packet.
  private var waitingTitle: StationTitle?
  /// True if a title was reported since the last packet. Each packet has one title at most.
  private var hasTitle = false
  private var hasSound = false
  private(set) var delivered = StreamTime.zero
  private var bytesSincePacket = 0
  private var followsDiscontinuity = false
  private var lastFormat: PacketFormat?
  private var lastMainData: MainData?

  func begin() {
    container.beginSegment()
    packedTags = PackedTagCutter()
    (packedTag, timedTag) = (Id3Reader(), Id3Reader())
    (packedTitle, waitingTitle) = (nil, nil)
    (hasSound, hasPacket) = (false, false)
  }

  func resetByteCount() { bytesSincePacket = 0 }

  /// Emits the last packet of a run of contiguous bytes. The next packet counts as damaged by a gap, unless `isWhole`
  /// (all bytes received) or `turns` (discontinuity of the station itself, EXT-X-DISCONTINUITY).
  func finishRun(_ taker: SegmentOutput, turns: Bool = false, isWhole: Bool = false) {
    framer.finish()
    drain(taker)
    framer.reset(followsGap: delivered > .zero && !turns && !isWhole)
    self.followsDiscontinuity = turns
  }

  private(set) var form: StreamContainer?

  var refusal: RefusedCodec? { container.refusal }

  var isBarren: Bool {
    bytesSincePacket > (container.announcesAudio ? StreamIntake.maxBoxByteCount : StreamIntake.maxGapByteCount)
  }

  func process(_ bytes: Span<UInt8>, _ taker: SegmentOutput) {
    bytesSincePacket += bytes.count
    // `form` must be set before the first packet is delivered.
    let headCount = container.form == nil ? min(ContainerReader.headByteCount, bytes.count) : 0
    if headCount > 0 {
      isPacked = true
      read(bytes.extracting(0..<headCount), taker)
      form = container.form
      isPacked = form == nil || form == .packed
    }
    read(bytes.extracting(headCount..<bytes.count), taker)
    // Before the first audio, the delay of the title is unknown.
    if hasSound, !hasTitle { reportTitle(taker, later: container.tagDelay) }
  }

  private func read(_ bytes: Span<UInt8>, _ taker: SegmentOutput) {
    container.read(bytes) { sound in
      hasSound = true
      isPacked ? feedPacked(sound, taker) : feed(sound, taker)
    } tag: { bytes in
      if timedTag.isFinished { timedTag = Id3Reader() }
      timedTag.append(bytes)
      guard let title = newTitle(of: timedTag) else { return }
      if !hasTitle { reportTitle(taker) }
      waitingTitle = title
    }
  }

  private func reportTitle(_ taker: SegmentOutput, later delay: Double? = nil) {
    guard let title = waitingTitle else { return }
    (waitingTitle, hasTitle) = (nil, true)
    taker.accept(title, later: delay)
  }

  private func feedPacked(_ bytes: Span<UInt8>, _ taker: SegmentOutput) {
    var place = 0
    while place < bytes.count {
      let (count, endsTag) = packedTags.process(bytes.extracting(place..<bytes.count)) { packedTag.append($0) }
      feed(bytes.extracting(place..<place + count), taker)
      place += count
      guard endsTag else { continue }
      packedTitle = newTitle(of: packedTag) ?? packedTitle
      packedTag = Id3Reader()
    }
  }

  private func feed(_ bytes: Span<UInt8>, _ taker: SegmentOutput) {
    var place = 0
    while place < bytes.count {
      place += framer.append(bytes.extracting(place..<bytes.count))
      drain(taker)
    }
  }

  private func drain(_ taker: SegmentOutput) {
    while framer.next({ info, packet in
      var info = info
      if let title = packedTitle.take() { taker.accept(title, later: hasPacket ? nil : 0) }
      hasPacket = true
      let mainData = info.format.codec == .mpegLayer3 ? MainData(packet) : nil
      let isSeamless = info.format == lastFormat && continues(info.format, mainData)
      (info.beginsFile, followsDiscontinuity, hasTitle) = (followsDiscontinuity && !isSeamless, false, false)
      (lastFormat, lastMainData) = (info.format, mainData)
      packet.withUnsafeBytes { taker.accept(info, $0) }
      delivered += info.duration
      bytesSincePacket = 0
    }) == .packet {}
  }

  /// True if the decoder need not restart before a packet of the same format: it would lose its first packet. Layer III
  /// of another encoder would be decoded with the wrong earlier data.
  private func continues(_ format: PacketFormat, _ mainData: MainData?) -> Bool {
    guard format.codec == .mpegLayer3 else { return true }
    guard let mainData, let lastMainData else { return false }
    return lastMainData.isContinued(by: mainData)
  }

  private func newTitle(of tag: Id3Reader) -> StationTitle? {
    guard tag.isFinished, let sent = tag.title else { return nil }
    guard let title = SentTitle(sent) else { return AdMark(sent: sent).map { StationTitle($0) } }
    return StationTitle(artist: title.artist ?? tag.artist, track: title.track, from: .segment)
  }
}
