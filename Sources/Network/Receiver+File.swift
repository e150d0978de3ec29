import Blocks
import Framing
import Units

// Files (R11): what is asked for, and what comes of the answers.

extension Receiver {
  /// Whether sound of the programme is in the ring, so that what breaks is gone on with.
  var isUnderWay: Bool { hasPlayed || file?.hasStarted == true }

  /// Asks for what of a file is wanted next; for a station as it always was.
  func ask(_ http: inout HttpRequest, _ reception: Reception) {
    if let file {
      reception.firstByte = file.nextByte
      http.ifRange = file.validator
      http.byteCount = file.partByteCount.map { Int64($0) }
    } else if request.start > .zero, !isPlain, request.mode != .live {
      reception.firstByte = 0
      http.byteCount = Int64(FileDownload.headPartByteCount)
    }
    guard let firstByte = reception.firstByte, !isPlain else { return }
    http.firstByte = Int64(firstByte)
    http.wantsIcyMetadata = false
    http.receiveBuffer = FileDownload.receiveBuffer
  }

  /// Looks at the head of an answer that may be a file's; nil where it is as any other.
  func fileHead(_ reception: Reception, _ head: HttpHead) -> HeadVerdict? {
    guard let asked = reception.firstByte else { return nil }
    guard let known = file else {
      // The first answer of all: a server that knows no parts, or has none of this, is asked for the whole.
      let isWrong = head.isPartial ? head.contentRangeStart != 0 : head.status < 400 && isLive(head)
      if head.status == 416 || isWrong {
        isPlain = true
        return stop(reception, .anew)
      }
      return nil
    }
    if head.status == 416 {
      let end = head.contentRangeTotal.flatMap { Int(exactly: $0) } ?? known.byteCount
      // Where nothing but the end follows, all was there.
      if end == asked || known.byteCount == asked || known.barrenEnds > 0 { return stop(reception, .end) }
      return stop(reception, .changed)
    }
    guard head.status < 400 else { return nil }
    if known.differs(from: head) { return stop(reception, .changed) }
    if known.isCoded(head) { return stop(reception, .coded) }
    if head.isPartial {
      guard let start = head.contentRangeStart.flatMap({ Int(exactly: $0) }), start <= asked else {
        isPlain = true
        reception.verdict = wrongPart
        return .stop
      }
      reception.skip = asked - start
    } else if known.stage == .sample {
      return stop(reception, .unsampled)
    } else if known.stage == .window, !known.hasStarted, known.clock == nil {
      // The server knows no parts: the file is read through from its first byte, and what comes before the goal passed.
      file?.begin(at: 0)
      tellReadThrough()
    } else {
      reception.skip = asked
    }
    reception.intake = file?.intake
    reception.facts = facts
    return .go
  }

  private func stop(_ reception: Reception, _ turn: Reception.Turn) -> HeadVerdict {
    reception.turn = turn
    return .stop
  }

  /// The first answer is a file's.
  func beginFile(_ reception: Reception, _ head: HttpHead) {
    let isHead = reception.firstByte != nil && head.isPartial
    file = FileDownload(isHead ? .head : .window, goal: max(.zero, request.start), head: head)
    file?.intake = reception.intake
    if !isHead, request.start > .zero { tellReadThrough() }
    guard let address = candidates?.current.address, address.isFile else { return }
    file?.isLocal = true
    let tail = LocalFile.tail(of: address, TrailingTags.tailByteCount)
    file?.tail = TrailingTags.byteCount(in: tail.span)
    file?.title = Self.title(in: tail.span)
  }

  /// What an ID3v1 tag calls the file that it ends; nil where there is no title.
  static func title(in tail: Span<UInt8>) -> OutsideTitle? {
    guard let tag = Id3Reader.last(in: tail), let title = tag.title else { return nil }
    return OutsideTitle(artist: tag.artist, track: title, url: nil)
  }

  /// Tells what a file's tags call it, from its first moment on.
  func tellFileTitle() {
    guard let file, let title = file.title else { return }
    tell(.outsideTitle(title, at: file.place?.border ?? .zero))
  }

  private func tellReadThrough() {
    facts?.isSeekable = false
    let message = "\(host) gives no parts of a file, so all before the place that you asked for is read first."
    tell(.readThrough(url: shownURL, message: message))
  }

  /// Takes what came of a file, but for what is there already.
  func takeFile(_ reception: Reception, _ intake: StreamIntake, _ bytes: Span<UInt8>) {
    let skipped = min(reception.skip, bytes.count)
    reception.skip -= skipped
    guard skipped < bytes.count else { return reception.markSense(isPassed: true) }
    file?.nextByte += bytes.count - skipped
    file?.barrenEnds = 0
    reception.hasBroughtNew = true
    intake.take(bytes.extracting(skipped..<bytes.count), reception)
    if let title = intake.tagTitle { file?.title = title }
    reception.markSense()
    if file?.stage == .head, file?.meter.isSettled == true { openWindow() }
  }

  /// Takes a packet of a file.
  func takeOfFile(_ reception: Reception, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
    guard var known = file else { return }
    defer { file = known }
    if known.stage == .sample { return known.meter.sample(info) }
    if known.map == nil {
      let isSound = known.meter.take(info, bytes.bindMemory(to: UInt8.self).span)
      if known.stage == .head || !isSound { return }
    } else if let map = known.map, info.byteOffset < map.firstByte {
      return
    }
    let time = known.time(of: info)
    if time.upperBound <= known.goal - FileDownload.runUp { return }
    var info = info
    if !known.hasStarted {
      known.hasStarted = true
      // Where the time is a guess the end is one too, and all is heard.
      let map = known.currentMap
      let limit = (map?.isExact == true && known.isTimed ? map?.length : nil) ?? StreamTime(ticks: .max)
      known.heard = min(known.goal, limit)..<limit
      if !beginFollowing(&known, &info, at: time.lowerBound) { keeper.writer.start(at: time.lowerBound) }
    }
    info.mute(outside: known.heard, at: time.lowerBound)
    reception.isJoined = true
    _ = keeper.take(info, bytes, at: reception.lastData)
    reception.mark(at: reception.lastData)
    hasToldNoNetwork = false
    if isInDoubt, known.isAnnounced {
      isInDoubt = false
      tell(.resumed)
    }
  }

  /// Tells of a file when its length is known.
  func announceFile(isOver: Bool) {
    guard let known = file, known.hasStarted || isOver && isUnheard(known), var told = facts else { return }
    guard known.map != nil || known.meter.isSettled || isOver else { return }
    let map = known.currentMap
    if known.isAnnounced { return tell(length: map?.length) }
    told.duration = known.hasStarted ? map?.length : known.lengthUnheard
    told.byteCount = known.byteCount ?? told.byteCount
    file?.isAnnounced = true
    file?.toldLength = map?.length
    hasPlayed = true
    facts = told
    isInDoubt = false
    tell(known.place.map { .followed(told, at: $0, token: followed) } ?? .connected(told))
    tellFileTitle()
    readTail()
  }

  /// Whether a file that is over is none of which anything is to be heard.
  private func isUnheard(_ known: FileDownload) -> Bool { !isFollowing && (known.isSilent || known.isPassed) }

  /// Tells of a length that is known better by now.
  private func tell(length: StreamTime?) {
    guard let length, let told = file?.toldLength else { return }
    if abs(length.ticks - told.ticks) > told.ticks / 100 { tellAtOnce(length: length) }
  }

  func tellAtOnce(length: StreamTime) {
    file?.toldLength = length
    facts?.duration = length
    tell(.length(length))
  }

  /// Begins the window that holds the goal, when it is known well enough where that lies.
  private func openWindow() {
    guard var known = file, let map = known.currentMap else { return }
    if known.map == nil, known.beginSample() {
      file = known
      return reopen()
    }
    known.map = map
    if let length = map.length { known.goal = min(known.goal, length) }
    known.beginWindow()
    file = known
    reopen()
  }

  /// Asks for the rest at once.
  private func reopen() {
    guard let address = candidates?.current.address else { return }
    leave(current)
    current = nil
    do throws(NetworkError) {
      current = try open(address)
    } catch {
      failed(nil, trouble(error, address.url), mayPass: error.isWorthRetrying)
    }
  }

  /// Goes to another place of a file: what was held is forgotten.
  func seek(_ seek: FileSeek) {
    defer { fileNumber = seek.number }
    guard seek.number == fileNumber, !isFollowing, file?.currentMap != nil else {
      return tune(seek.request, epoch: seek.epoch)
    }
    stop()
    (follower, awaitsFollower) = (nil, false)
    restart(epoch: seek.epoch)
    file?.goal = max(.zero, seek.request.start)
    file?.place = nil
    openWindow()
    if file?.isAnnounced == true { readTail() }
  }

  // MARK: The end of an answer

  /// An answer of a file is over, or its part of one.
  func fileEnded(_ reception: Reception, _ end: TransferEnd) {
    switch reception.turn {
    case .anew: return reopen()
    case .end: return finishFile(reception)
    case .changed: return giveUp(reception, changed)
    case .coded: return giveUp(reception, broken(.failed(.compressed)))
    case .unsampled: file?.endSampling()
    case nil: break
    }
    if file?.stage == .sample {
      if reception.verdict != nil { file?.endSampling() }
      return openWindow()
    }
    if let verdict = reception.verdict {
      if verdict.status == 404 || verdict.status == 410 { return giveUp(reception, verdict) }
      // What has turned into noise, or something else, is the same from any byte on.
      if verdict.kind == .badContent, isUnderWay { return giveUp(reception, verdict) }
      return failed(reception, verdict, mayPass: true)
    }
    if case .failed(let error) = end, !error.isWorthRetrying, error != .cancelled {
      return giveUp(reception, broken(end))
    }
    if file?.stage == .head { return headEnded(reception, end) }
    if file?.isWhole == true || file?.byteCount == nil && end == .complete { return finishFile(reception) }
    if !reception.hasBroughtNew, reception.intake != nil { file?.barrenEnds += 1 }
    if (file?.barrenEnds ?? 0) >= FileDownload.mostBarrenEnds {
      // It is shorter than its server says.
      tell(.trouble(closed(end), isFinal: false))
      return finishFile(reception)
    }
    let trouble = closed(end)
    tellPassing(trouble)
    failed(reception, trouble, mayPass: true)
  }

  /// A part of the head was not enough.
  private func headEnded(_ reception: Reception, _ end: TransferEnd) {
    guard let intake = file?.intake, end == .complete else { return failed(reception, broken(end), mayPass: true) }
    if file?.isWhole == true { intake.finish(reception) }
    if case .playlist(let kind) = intake.phase {
      isPlain = file?.isWhole != true
      file = nil
      return isPlain ? reopen() : open(reception, kind, intake.gathered)
    }
    if case .refused(let kind) = intake.phase { return failed(reception, notPlayed(kind), mayPass: false) }
    let absent = intake.absentTagByteCount
    if absent > 0 {
      file?.nextByte += absent
      file?.passedTags += 1
      intake.passAbsentTag()
    }
    if file?.isWhole == true {
      guard case .audio = intake.phase else { return failed(reception, noAudio, mayPass: false) }
      return openWindow()
    }
    file?.headParts += absent > 0 ? 0 : 1
    let isTooLong = (file?.headParts ?? 0) > FileDownload.mostHeadParts
    if isTooLong || (file?.passedTags ?? 0) > FileDownload.mostPassedTags {
      return failed(reception, noAudio, mayPass: false)
    }
    reopen()
  }

  /// The last byte is there.
  private func finishFile(_ reception: Reception) {
    if let intake = file?.intake { intake.finish(reception) }
    announceFile(isOver: true)
    leave(current)
    current = nil
    if isFollowing || !isUnderWay {
      return failed(reception, noAudio, mayPass: false)
    }
    tell(.complete)
    beginFollower()
  }

  /// What is held plays to its end.
  private func giveUp(_ reception: Reception, _ trouble: Trouble) {
    if isFollowing { return abandonFollower() }
    leave(reception)
    current = nil
    endInFailure(trouble)
  }

  private var changed: Trouble {
    Trouble(.fileChanged, url: shownURL, message: "\(shownURL) has changed since it began to play; play it again.")
  }

  private var wrongPart: Trouble {
    Trouble(.disconnected, url: shownURL, message: "\(host) sent another part of the file than was asked for.")
  }
}
