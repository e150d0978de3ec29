import Blocks
import Framing
import Listings
import Units

// What comes of an answer: its head, its bytes, its end.

extension Receiver {
  func receivedHead(_ head: HttpHead) -> HeadVerdict {
    lastData = now
    retryAfter = MonotonicTime(milliseconds: Int64(min(300, head.retryAfter ?? 0)) * 1_000)
    guard head.status < 400 else {
      verdict = refusal(head.status)
      return .stop
    }
    let kind = candidates?.isRoot == true ? request.kind : .automatic
    let path = (try? WebAddress(head.effectiveURL, allowsFile: true))?.path
    if hasPlayed { keeper.join() }
    intake = StreamIntake(kind: kind, head: head, path: path, followsGap: hasPlayed)
    facts = StationFacts(
      url: WebAddress.redacting(head.effectiveURL), name: shown(head.icy.name) ?? candidates?.current.title,
      genre: shown(head.icy.genre), homePage: shown(head.icy.url), contentType: shown(head.contentType),
      toldBitRate: head.icy.bitRate?.bitsPerSecond, metaint: head.icy.metaint,
      // What has played stays what it was: an error page is no file.
      isLive: hasPlayed ? facts?.isLive != false : isLive(head),
      byteCount: head.contentLength.flatMap { Int(exactly: $0) }, isSeekable: head.acceptsRanges)
    return .go
  }

  func received(_ bytes: Span<UInt8>) -> Flow {
    lastData = now
    guard hasRoom(toResume: false), let intake else { return .pause }
    intake.take(bytes, self)
    settle(intake)
    if intake.delivered > ReconnectPolicy.proof { policy.succeeded() }
    if keeper.writer.isAwaited { raise(.packets) }
    return .taken
  }

  func ended(_ end: TransferEnd) {
    guard case .receiving = state else { return }
    state = .idle
    if keeper.deadline != nil { joined(keeper.settle(at: now)) }
    if let verdict { return failed(verdict, mayPass: verdict.kind == .timeoutExceeded || verdict.status >= 500) }
    guard let intake else {
      let error = if case .failed(let error) = end { error } else { NetworkError.closedEarly }
      return failed(trouble(error, candidates?.current.address.url ?? request.url), mayPass: error.isWorthRetrying)
    }
    intake.finish(self)
    settle(intake)
    if let verdict { return failed(verdict, mayPass: false) }
    switch intake.phase {
    case .playlist(let kind): open(kind, intake.gathered)
    case .audio: audioEnded(end)
    case .empty: failed(closed(end), mayPass: true)
    default: failed(noAudio, mayPass: false)
    }
  }

  private func isLive(_ head: HttpHead) -> Bool {
    switch request.mode {
    case .live: true
    case .file: false
    case .automatic:
      candidates?.current.address.isFile != true && !(head.contentLength != nil && head.acceptsRanges && !head.isIcy)
    }
  }

  /// Whether another read's worth of packets can be taken, and whether the radio is hungry for it.
  func hasRoom(toResume: Bool) -> Bool {
    guard keeper.writer.freeBlockCount >= (toResume ? 14 : 12) else { return false }
    guard facts != nil, intake?.phase == .audio else { return true }
    return keeper.writer.ahead < (toResume ? StreamTime(ticks: mostAhead.ticks / 8 * 7) : mostAhead)
  }

  /// What is taken ahead of the decoder before the server is slowed down.
  var mostAhead: StreamTime {
    facts?.isLive == true ? max(request.liveAhead, StreamTime(seconds: 20)) : request.fileAhead
  }

  /// Acts on what an answer turned out to be.
  private func settle(_ intake: StreamIntake) {
    switch intake.phase {
    case .audio:
      guard intake.delivered > .zero, !isAnnounced, let facts else { return }
      isAnnounced = true
      hasPlayed = true
      tell(.connected(facts))
    case .refused(let kind): stop(with: Trouble(.badContent, url: shownURL, message: "\(shownURL): \(kind.sentence)."))
    case .unknown: stop(with: noAudio)
    default: break
    }
  }

  private func stop(with reason: Trouble) {
    verdict = reason
    if case .receiving(let transfer) = state { transfer.cancel() }
  }

  private var noAudio: Trouble {
    Trouble(.badContent, url: shownURL, message: "\(shownURL) holds no MP3 or AAC; check the address of the station.")
  }

  private func closed(_ end: TransferEnd) -> Trouble {
    if case .failed(let error) = end { return trouble(error, candidates?.current.address.url ?? request.url) }
    return Trouble(.timeoutExceeded, url: shownURL, message: "\(host) closed the connection.")
  }

  private func refusal(_ status: Int) -> Trouble {
    let message =
      switch status {
      case 401, 407: "\(host) wants a name and a password for this station (\(status)); give them with --user."
      case 403: "\(host) does not let you listen to this station (403); ask the station."
      case 404, 410: "\(host) has no station at \(shownURL) (\(status)); check the address."
      case 500...: "\(host) cannot serve the station now (\(status)); try again later."
      default: "\(host) refuses the station (\(status)); check the address."
      }
    return Trouble(.httpError, url: shownURL, message: message, status: status)
  }

  private func audioEnded(_ end: TransferEnd) {
    guard facts?.isLive == false else { return failed(closed(end), mayPass: true) }
    if case .failed(let error) = end {
      tell(.trouble(trouble(error, candidates?.current.address.url ?? request.url), isFinal: false))
    }
    keeper.finish()
    tell(.complete)
  }

  private func open(_ kind: PlaylistKind, _ text: [UInt8]) {
    guard let base = candidates?.current.address else { return }
    var entries: [(address: WebAddress, title: String?)] = []
    if let listed = try? PlaylistParser.entries(of: text.span, kind: kind) {
      for entry in listed {
        guard let address = try? base.resolve(entry.reference) else { continue }
        entries.append((address, entry.title.map { DisplayText.clean($0) }))
      }
    }
    if candidates?.open(entries) == true { return connect() }
    let message = "The playlist \(shownURL) names no station that can be played; check its address."
    failed(Trouble(.urlNotFound, url: shownURL, message: message), mayPass: false)
  }

  /// Tells a title that is not the last one again.
  private func tell(_ title: StationTitle, at time: StreamTime) {
    guard title != lastTitle else { return }
    lastTitle = title
    tell(.title(text: title.text, url: title.url, at: time))
  }

  /// Tells how a new connection was joined, and the titles that waited for it.
  func joined(_ stitch: Stitch?) {
    guard let stitch else { return }
    tell(.stitched(stitch))
    for (title, time) in keeper.releasedTitles() { tell(title, at: time) }
    if keeper.writer.isAwaited { raise(.packets) }
  }
}

extension Receiver: StreamTaker {
  func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) { joined(keeper.take(info, bytes, at: now)) }

  func take(metadata block: Span<UInt8>) {
    let fields = IcyMetadata(parsing: block)
    guard let place = fields.title else { return }
    let url = fields.url.map { titles.text(block.extracting($0)) }.flatMap { $0.isEmpty ? nil : $0 }
    let title = StationTitle(text: titles.text(block.extracting(place)), url: url)
    for (title, time) in keeper.take(title) { tell(title, at: time) }
  }
}

/// One connection's ear: what an older connection still says is not heard.
final class Connection: TransferHandler {
  private unowned let receiver: Receiver
  private let number: Int

  init(_ receiver: Receiver, number: Int) {
    self.receiver = receiver
    self.number = number
  }

  private var counts: Bool { receiver.connection == number }

  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict { counts ? receiver.receivedHead(head) : .stop }
  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow { counts ? receiver.received(bytes) : .taken }
  func transferDidEnd(_ end: TransferEnd) { if counts { receiver.ended(end) } }
}
