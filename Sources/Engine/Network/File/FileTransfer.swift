import Blocks
import Framing
import Http
import Units

/// The download of the file that plays (R11): its requested parts and its audible packets. Net thread only.
final class FileTransfer {
  private var version: FileVersion
  private var timeline: FileTimeline
  private var progress: FileProgress
  private var goal: StreamTime
  /// Offset of the next byte, tags included.
  private(set) var nextByte = 0
  /// Splits the bytes into packets, also across broken connections.
  private(set) var intake: StreamIntake?
  /// Audible time range of the window; valid after its first packet.
  private var audible = StreamTime.zero..<StreamTime(ticks: .max)
  private var start = StartState.notYet
  private var announcement = FileAnnouncement()
  private(set) var tags: FileTags
  private var isReadThrough: Bool
  /// True if the goal is unreachable from the current part, so that another part must be requested.
  private var hasMissed = false
  private var parts = PartSearch()
  private var rejoin = FileRejoin()
  private var stitch: Stitch?
  private var isOtherVersion = false
  private let isLocal: Bool

  private enum StartState {
    case notYet
    /// A packet of the window is in the ring. Nil for the first file of the programme.
    case at(FilePlace?)
  }

  /// Bytes of a file that the kernel may receive before they are read.
  static let receiveBuffer = 16_384

  /// `readsHead`: false if the first response is the whole file. `localTail`: the last bytes of a local file.
  init(_ head: HttpHead, _ intake: StreamIntake?, readsHead: Bool, goal: StreamTime, localTail: [UInt8]? = nil) {
    version = FileVersion(head)
    progress = FileProgress(readsHead: readsHead)
    isReadThrough = !readsHead
    timeline = FileTimeline(
      byteCount: version.byteCount, tail: localTail.map { TrailingTags.byteCount(in: $0.span) } ?? 0,
      isLocal: localTail != nil)
    (self.intake, self.goal) = (intake, goal)
    tags = FileTags(localTail: localTail)
    isLocal = localTail != nil
    if let byteCount { intake?.searchFile(of: byteCount) }
  }

  // MARK: State

  var byteCount: Int? { version.byteCount }

  var hasStarted: Bool { if case .at = start { true } else { false } }

  var isAnnounced: Bool { announcement.isMade }

  var isMapped: Bool { timeline.map != nil }

  /// True if enough of the file was read for a reliable map.
  var isSettled: Bool { timeline.isSettled }

  /// True while a joined file is searched for its parts, before the first window.
  var isProbing: Bool { progress.isProbing }

  /// True for a format whose packets are split and interleaved. A file in this format has no seek positions, and is
  /// read from its start.
  var hasNoPlaces: Bool {
    switch intake?.form {
    case .transport, .latm: true
    default: false
    }
  }

  var restsOnItsEnd: Bool { timeline.restsOnItsEnd || tags.areInChunks }

  var isAtHead: Bool { progress.isAtHead }

  var isHeadKnown: Bool { progress.isAtHead && timeline.isSettled }

  var wantsOtherPart: Bool { isHeadKnown || hasMissed || isProbing && intake?.exceedsProbe == true }

  /// Duration after the received packets; nil if unknown.
  var left: StreamTime? {
    guard let time = timeline.time, let length = timeline.map?.length else { return nil }
    return length - time
  }

  var stretchToCount: (from: ExactSeekIndex.Point, to: Int)? { isAnnounced ? timeline.stretchToCount : nil }

  func isPart(_ head: HttpHead, from byte: Int64) -> Bool { version.isPart(head, from: byte) }

  /// Returns true if a response has the last `byteCount` bytes.
  func isTail(_ head: HttpHead, _ byteCount: Int) -> Bool {
    guard let total = head.contentRangeTotal else { return false }
    return isPart(head, from: max(0, total - Int64(byteCount)))
  }

  /// Number of bytes at the end that contain the duration and the title.
  var tailByteCount: Int {
    if let count = tags.chunksByteCount { return count }
    if isLengthInTail { return Self.oggTailByteCount }
    return timeline.needsEndOfSound ? PartFinder.maxProbeByteCount : TrailingTags.tailByteCount
  }

  /// True if only the last bytes show the duration.
  var isLengthInTail: Bool { intake?.form == .ogg }

  /// Number of bytes at the end that contain a whole last page, however long.
  static let oggTailByteCount = 1 << 16
  /// Maximum number of these bytes to read. Pictures in chunks may be longer.
  static let maxTailByteCount = oggTailByteCount

  // MARK: Requests

  /// Nil if any version of the file is acceptable.
  var validator: String? { rejoin.isActive ? nil : version.validator }

  var partByteCount: Int? { progress.partByteCount }

  /// Starts the window at the goal, or the next sample. Returns false without a map.
  func openWindow() -> Bool {
    guard let map = timeline.map else { return false }
    if rejoin.isActive {
      restart(at: rejoin.newByte(of: map.byte(at: rejoin.time)))
      return true
    }
    if hasNoPlaces {
      isReadThrough = true
      progress.beginWindow()
      begin(at: 0)
      return true
    }
    if beginProbe() || beginSample(map) { return true }
    if let length = timeline.fix()?.length { goal = min(goal, length) }
    progress.beginWindow()
    begin(at: timeline.byte(for: goal) ?? nextByte)
    return true
  }

  /// Continues the search for parts, or starts it before a late first window. Returns false if no probe is left.
  private func beginProbe() -> Bool {
    if progress.isAtHead, goal > FileTimeline.runUp { parts.beginFirst(timeline.partFinder) }
    if isProbing { parts.process(intake?.gathered ?? [], total: byteCount ?? 0) }
    guard progress.isAtHead || isProbing, let next = parts.firstProbe else {
      if let outcome = parts.endFirst() { _ = record(outcome) }
      return false
    }
    progress.beginProbe(next.byteCount)
    begin(at: next.byte)
    intake?.probe(next.byteCount)
    return true
  }

  /// True if a search for parts before the first window ended with its own result; nil without such a search.
  var isFirstSearchWhole: Bool? { parts.isFirstWhole }

  /// Defers the search for parts until playback.
  func skipFirstSearch() { parts.skipFirst() }

  /// Ends the search for parts before the first window without its result.
  func endFirstSearch() { progress.endSampling() }

  private func beginSample(_ map: FileMap) -> Bool {
    guard goal > FileTimeline.runUp, let byteCount, timeline.wantsSamples,
      byteCount - map.firstByte > 16 * FileProgress.samplePartByteCount, let number = progress.nextSample()
    else { return false }
    begin(at: map.firstByte + (byteCount - map.firstByte) / (FileProgress.maxSamples + 1) * number)
    return true
  }

  func seek(to goal: StreamTime) -> Bool {
    self.goal = max(.zero, goal)
    rejoin = FileRejoin()
    timeline.seek()
    interruptPartSearch()
    progress.beginWindow()
    return openWindow()
  }

  private func begin(at byte: Int) {
    nextByte = byte
    timeline.beginPart()
    (start, hasMissed) = (.notYet, false)
    progress.advance()
    intake = StreamIntake(fileFrom: byte, after: intake)
    if let byteCount { intake?.searchFile(of: byteCount) }
  }

  // MARK: Data

  func evaluateHead(_ head: HttpHead, asked: Int) -> HeadResult {
    if isProbing, head.status == 416 || version.differs(from: head) || version.isCoded(head) {
      return .turn(.unsampled)
    }
    if head.status == 416 {
      let end = head.contentRangeTotal.flatMap { Int(exactly: $0) } ?? byteCount
      // A request at the file's end proves that the file is complete.
      return .turn(end == asked || byteCount == asked || progress.isBarren ? .end : .changed)
    }
    guard head.status < 400 else { return .any }
    if version.differs(from: head) {
      // Before the first packet, and during a search, any version is acceptable.
      guard rejoin.isActive || !hasStarted else { return .turn(.changed) }
      replaceVersion(by: head)
    }
    if version.isCoded(head) { return .turn(.coded) }
    if head.isPartial {
      guard let start = head.contentRangeStart.flatMap({ Int(exactly: $0) }), start <= asked else { return .wrongPart }
      isReadThrough = false
      return .part(skip: asked - start)
    }
    if progress.isSampling { return .turn(.unsampled) }
    if rejoin.isActive {
      restart(at: 0)
      return .part(skip: 0)
    }
    guard progress.isAtWindow, !hasStarted, timeline.time == nil else { return .part(skip: asked) }
    isReadThrough = true
    begin(at: 0)
    return .whole
  }

  /// Searches another version of the file for the last received packets. Returns false if impossible.
  func beginRejoin(in head: HttpHead) -> Bool {
    guard head.status < 300, hasStarted, !rejoin.isActive, timeline.isPacked, let time = timeline.time,
      let map = timeline.fix()
    else { return false }
    replaceVersion(by: head)
    rejoin.begin(at: time)
    restart(at: map.byte(at: max(.zero, time - FileRejoin.span)))
    return true
  }

  /// The duration of another version is unknown, so no packet is cut at the end.
  private func replaceVersion(by head: HttpHead) {
    version = FileVersion(head)
    isOtherVersion = true
    parts.end()
    audible = audible.lowerBound..<StreamTime(ticks: .max)
  }

  /// Continues the window at another byte, with the same audible time range.
  private func restart(at byte: Int) {
    nextByte = byte
    timeline.beginPart()
    hasMissed = false
    progress.beginWindow()
    intake = StreamIntake(fileFrom: byte, after: intake)
  }

  /// Returns the report about a join with another version, once.
  func removeStitch() -> Stitch? { stitch.take() }

  func advance(_ count: Int) {
    nextByte += count
    progress.advance()
    if intake?.isInUnknownLink == true { handleStrayPart() }
  }

  /// Handles a part without usable packets. If another try is left, another part must be requested.
  private func handleStrayPart() {
    if progress.isAtWindow, !hasStarted, timeline.handleStrayPart() { hasMissed = true }
  }

  /// Handles the file's last byte. Returns true if the goal is unreachable from this part, so that another part must be
  /// requested.
  func handleLastByte() -> Bool {
    if rejoin.isActive {
      hasMissed = rejoin.endFile()
    } else if timeline.time == nil, !isReadThrough {
      handleStrayPart()
    }
    return hasMissed
  }

  func readTag() {
    // Titles of later links are reported with their packets.
    if !hasStarted { tags.record(intake?.tagTitle) }
    guard !timeline.isSettled, let facts = intake?.facts else { return }
    timeline.record(facts)
    tags.record(facts, form: intake?.form, byteCount: byteCount)
    if let last = tags.removeLastBytes() { timeline.evaluateTail(bytes: last.span) }
  }

  func accept(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) -> PacketResult {
    if progress.isSampling {
      timeline.sample(info)
      return .dropped
    }
    if !hasStarted || !timeline.isSettled { readTag() }
    guard timeline.accept(info, bytes), !progress.isAtHead, !hasMissed else { return .dropped }
    let isRejoining = rejoin.isActive
    if isRejoining, !isRejoined(by: info, bytes) { return .dropped }
    if !isLocal { rejoin.record(PacketPrint(of: bytes)) }
    let isFirstOfPart = timeline.time == nil
    let time = timeline.time(of: info)
    if isFirstOfPart, !hasStarted, !isReadThrough, timeline.misses(goal, at: time.lowerBound) {
      hasMissed = true
      return .dropped
    }
    if time.upperBound <= goal - FileTimeline.runUp { return .dropped }
    let isFirst = !hasStarted
    if isFirst {
      start = .at(nil)
      audible = goal..<max(goal, audible.upperBound)
      updateAudibleEnd()
    } else if timeline.isJoined, audible.upperBound < StreamTime(ticks: .max) {
      updateAudibleEnd()
    }
    var info = info
    info.followsGap = info.followsGap || isRejoining
    info.mute(outside: audible, at: time.lowerBound)
    return isFirst ? .first(info, at: time.lowerBound) : .audible(info)
  }

  /// Compares a packet of another version. Returns true if the packet is the first to play.
  private func isRejoined(by info: PacketInfo, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let place = timeline.time(of: info).lowerBound
    let byte = rejoin.isByTime ? rejoin.oldByte(of: info.byteOffset) : info.byteOffset
    let mapped = timeline.map?.time(at: byte) ?? place
    switch rejoin.offer(PacketPrint(of: bytes), at: place, mapped: mapped) {
    case .dropped: return false
    case .missed:
      hasMissed = true
      return false
    case .joined(let lost):
      timeline.resume(at: rejoin.time)
      let lost = StreamTime(ticks: Int64(lost) * info.duration.ticks)
      stitch = Stitch(overlap: .zero, lost: lost, isExact: true, isEstimated: false)
      return false
    case .begins:
      timeline.resume(at: rejoin.time)
      stitch = Stitch(overlap: .zero, lost: .zero, isExact: false, isEstimated: true)
      return true
    }
  }

  /// With an estimated start the end is an estimate too, so no packet is cut there.
  private func updateAudibleEnd() {
    guard hasStarted else { return }
    let map = timeline.map
    let limit =
      (map?.isExact == true && timeline.isTimed && !isOtherVersion ? map?.length : nil) ?? StreamTime(ticks: .max)
    audible = min(audible.lowerBound, limit)..<limit
  }

  func setPlace(at place: FilePlace) { start = .at(place) }

  // MARK: Reports

  /// `isOver`: true if the file is complete. `isFollowing`: true for a next file before its first audible packet.
  func announcement(isOver: Bool, isFollowing: Bool) -> FileAnnouncement.Report? {
    guard hasStarted || isOver && !isFollowing && isPassed else { return nil }
    guard timeline.isFixed || timeline.isSettled || isOver else { return nil }
    let length = timeline.map?.length
    if announcement.isMade { return announcement.update(length) }
    return announcement.begin(length, shown: hasStarted ? length : inaudibleLength, at: place)
  }

  /// True if packets are known, but the goal is not at the start. A complete file without audible packets then ended
  /// before the goal.
  private var isPassed: Bool { goal > .zero && timeline.map != nil }

  /// Duration of a file without audible packets: from its counted packets, else from its map.
  private var inaudibleLength: StreamTime? { timeline.time ?? timeline.map?.length }

  private var place: FilePlace? { if case .at(let place) = start { place } else { nil } }

  /// The title at the file's start; nil if not needed. An empty title clears that of the previous file.
  var titleNotice: NetNotice? {
    if tags.title == nil, place == nil { return nil }
    return .externalTitle(tags.title ?? ExternalTitle(track: ""), at: place?.border ?? .zero)
  }

  // MARK: End of a response

  func end(_ end: FileProgress.End) -> FileProgress.Reaction {
    var end = end
    end.isWhole = byteCount.map { nextByte >= $0 }
    return progress.end(end)
  }

  func endHead(_ taker: any StreamReceiver) -> FileProgress.HeadReaction {
    guard let intake else { return .noAudio }
    let isWhole = isWhole
    if isWhole { intake.finish(taker) }
    let content: FileProgress.Content =
      switch intake.phase {
      case .audio where intake.isInHeaders: .headers
      case .audio: .audio
      case .playlist: .list
      case .refused: .refused
      default: .unknown
      }
    let absent = intake.absentTagByteCount
    if absent > 0 {
      nextByte += absent
      intake.skipAbsentTag()
    }
    return progress.endHead(content, hasTag: absent > 0, isWhole: isWhole, isWholeBehindTag: self.isWhole)
  }

  private var isWhole: Bool { byteCount.map { nextByte >= $0 } ?? false }

  // MARK: Extra requests

  func evaluateTail(tail bytes: Span<UInt8>) -> [NetNotice] {
    let isTitled = tags.evaluate(tail: bytes)
    let told = isTitled && isAnnounced ? titleNotice.map { [$0] } ?? [] : []
    if tags.chunksByteCount != nil { return told }
    let tail = TrailingTags.byteCount(in: bytes)
    timeline.evaluateTail(bytes: bytes)
    if tail > 0 { timeline.record(tail: tail) }
    updateAudibleEnd()
    if let byteCount, timeline.needsEndOfSound, bytes.count == PartFinder.maxProbeByteCount {
      parts.record(lastSound: PartSample(bytes, at: byteCount - bytes.count, total: byteCount))
    }
    // If the last bytes of an Ogg file do not show the duration, the map now estimates it from the packets.
    guard tail > 0 || isLengthInTail else { return told }
    return told + (announcement.improve(timeline.map?.length).map { [$0] } ?? [])
  }

  /// Starts or continues the search for parts during playback. Returns nil if it runs already, or is not needed.
  func beginPartSearch() -> PartFinder? { parts.beginAside(timeline.partFinder) }

  /// Records the result of a search during playback. Returns the reports about a better position and length.
  func endPartSearch(_ outcome: PartFinder.Outcome) -> [NetNotice] {
    parts.end()
    return record(outcome)
  }

  /// Ends the running probes, also before the first window. `finder`: state of a search during playback, if it runs.
  func interruptPartSearch(at finder: PartFinder? = nil) {
    parts.interrupt(at: finder)
    if isProbing { progress.endSampling() }
  }

  private func record(_ outcome: PartFinder.Outcome) -> [NetNotice] {
    guard !isOtherVersion else { return [] }
    let before = timeline.map?.length
    let further = timeline.record(outcome).flatMap { $0 == .zero ? nil : NetNotice.placed(by: $0) }
    updateAudibleEnd()
    let length = timeline.map?.length
    return [further, length == before ? nil : announcement.improve(length)].compactMap(\.self)
  }

  func count(_ byte: Int, at time: StreamTime) { timeline.count(byte, at: time) }

  /// Sets the counted time of the window's first packet. Returns a report if the estimate was wrong.
  func correct(at time: StreamTime) -> NetNotice? {
    guard let further = timeline.correct(at: time) else { return nil }
    let map = timeline.map
    let limit = (map?.isExact == true ? map?.length : nil) ?? audible.upperBound
    audible = min(audible.lowerBound, time, limit)..<limit
    return further == .zero ? nil : .placed(by: further)
  }
}
