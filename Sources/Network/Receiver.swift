import Blocks
import CLinux
import Framing
import Listings
import Units

/// Tunes to a station and keeps it: opens its playlists, tries its addresses, takes its audio into the block ring, and
/// connects anew when it is lost. The net thread's.
final class Receiver {
  /// What it does now.
  enum State {
    case idle
    case receiving(Transfer)
    case waiting(until: MonotonicTime)
  }

  private let engine: HttpEngine
  private var keeper: PacketKeeper
  private let notices: UnsafePointer<EventRing>
  private let raise: (Raise) -> Void
  private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: EventRing.longest, alignment: 16)

  /// Whom to call.
  enum Raise {
    /// Those who wait for packets.
    case packets
    /// Those who read notices.
    case notice
  }

  private var state = State.idle
  private var epoch: UInt32 = 0
  /// The number of the connection that counts; an older one's last words are not heard.
  fileprivate private(set) var connection = 0
  private var request = StationRequest(url: "")
  private var candidates: Candidates?
  private var policy = ReconnectPolicy(seed: UInt64(bitPattern: bk_monotonic_ns()))
  private var began = MonotonicTime.zero
  private var titles = TitleText(encoding: nil)
  private var lastTitle: StationTitle?

  private var facts: StationFacts?
  private var intake: StreamIntake?
  private var lastData = MonotonicTime.zero
  /// Why the transfer was ended by us.
  private var verdict: Trouble?
  private var retryAfter = MonotonicTime.zero
  /// Whether any failure of this round may pass by itself.
  private var mayPass = false
  private var hasPlayed = false
  /// Whether this connection's audio has been told of.
  private var isAnnounced = false

  /// A receiver that fills `writer`'s ring; `raise` calls those who wait for packets or notices.
  init(
    _ engine: HttpEngine, _ writer: consuming BlockWriter, _ notices: UnsafePointer<EventRing>,
    raise: @escaping (Raise) -> Void
  ) {
    self.engine = engine
    keeper = PacketKeeper(writer)
    self.notices = notices
    self.raise = raise
  }

  deinit { scratch.deallocate() }

  private var now: MonotonicTime { MonotonicTime(nanoseconds: bk_monotonic_ns()) }

  // MARK: Orders

  /// Leaves what was, and begins the programme `epoch`.
  func tune(_ request: StationRequest, epoch: UInt32) {
    stop()
    self.request = request
    self.epoch = epoch
    keeper.begin(epoch: epoch)
    titles = TitleText(encoding: request.metadataEncoding)
    lastTitle = nil
    policy = ReconnectPolicy(seed: UInt64(bitPattern: bk_monotonic_ns()))
    began = now
    hasPlayed = false
    mayPass = false
    facts = nil
    do throws(NetworkError) {
      let address = try WebAddress(request.url, allowsFile: true)
      candidates = Candidates(address)
      connect()
    } catch {
      tell(.trouble(trouble(error, request.url), isFinal: true))
    }
  }

  /// Ends the connection; what is held stays.
  func stop() {
    if case .receiving(let transfer) = state {
      connection += 1
      transfer.cancel()
    }
    state = .idle
    intake = nil
  }

  // MARK: Time

  /// What is due at this moment.
  func attend() {
    if let deadline = keeper.deadline, now >= deadline { joined(keeper.settle(at: now)) }
    switch state {
    case .idle: break
    case .waiting(let until): if now >= until { connect() }
    case .receiving(let transfer):
      if transfer.isPaused {
        keeper.wasThrottled = true
        lastData = now
        if hasRoom(toResume: true) { transfer.resume() }
      } else if now - lastData > request.dataTimeout {
        let seconds = Int(request.dataTimeout.seconds)
        end(transfer, Trouble(.timeoutExceeded, url: shownURL, message: "\(host) sent nothing for \(seconds) s."))
      }
    }
  }

  /// When `attend` is to be called next, if nothing else happens.
  var nextMoment: MonotonicTime { min(nextOfState, keeper.deadline ?? .never) }

  private var nextOfState: MonotonicTime {
    switch state {
    case .idle: .never
    case .waiting(let until): until
    case .receiving(let transfer):
      transfer.isPaused ? now + MonotonicTime(milliseconds: 100) : lastData + request.dataTimeout
    }
  }

  /// Whether so much is held that looking every 200 ms is enough.
  var isAtEase: Bool {
    guard case .receiving(let transfer) = state, facts?.isLive == true, !transfer.isPaused, keeper.deadline == nil
    else { return false }
    return keeper.writer.ahead >= StreamTime(seconds: 1)
  }

  // MARK: Connecting

  private func connect() {
    guard let address = candidates?.current.address else { return }
    policy.tries(at: now)
    lastData = now
    verdict = nil
    retryAfter = .zero
    isAnnounced = false
    connection += 1
    tell(.connecting(url: shownURL))
    var http = HttpRequest(url: address.url, userAgent: request.userAgent)
    http.headers = request.headers
    http.query = request.query
    http.credentials = address.credentials ?? request.credentials
    http.wantsIcyMetadata = true
    http.allowsLocalFile = address.isFile
    do throws(NetworkError) {
      state = .receiving(try engine.start(http, handler: Connection(self, number: connection)))
    } catch {
      state = .idle
      failed(trouble(error, address.url), mayPass: error.isWorthRetrying)
    }
  }

  /// Ends a transfer for a reason of our own.
  private func end(_ transfer: Transfer, _ reason: Trouble) {
    verdict = reason
    transfer.cancel()
  }

  // MARK: Failing

  /// An address did not do: the next one, or a wait, or the end.
  private func failed(_ trouble: Trouble, mayPass passes: Bool) {
    state = .idle
    intake = nil
    if hasPlayed && facts?.isLive != false { return lost(trouble) }
    mayPass = mayPass || passes
    if candidates?.next() == true {
      tell(.trouble(trouble, isFinal: false))
      return connect()
    }
    guard mayPass, now - began < ReconnectPolicy.firstConnection else {
      tell(.trouble(trouble, isFinal: true))
      return
    }
    tell(.trouble(trouble, isFinal: false))
    candidates?.restart()
    wait(trouble.message)
  }

  /// A station that has played is gone: it is tried again.
  private func lost(_ trouble: Trouble) {
    if case .times(let most) = request.retry, policy.attempt >= most {
      keeper.finish()
      tell(.trouble(trouble, isFinal: true))
      return
    }
    if verdict != nil || trouble.kind == .noNetwork { tell(.trouble(trouble, isFinal: false)) }
    if policy.attempt % 4 == 3 { candidates?.restart() }
    wait(trouble.message)
  }

  private func wait(_ reason: String) {
    let until = policy.next(after: now, atLeast: retryAfter)
    tell(.reconnecting(attempt: policy.attempt, delay: max(.zero, until - now), reason: reason))
    state = .waiting(until: until)
  }

  // MARK: Words

  private func shown(_ text: String?) -> String? { text.map { DisplayText.clean($0) } }
  private var shownURL: String { WebAddress.redacting(candidates?.current.address.url ?? request.url) }
  private var host: String { candidates?.current.address.host ?? "The station" }

  private func trouble(_ error: NetworkError, _ url: String) -> Trouble {
    Trouble(kind(of: error), url: WebAddress.redacting(url), message: error.sentence(for: url))
  }

  private func kind(of error: NetworkError) -> Trouble.Kind {
    switch error {
    case .noNetwork, .unreachable: .noNetwork
    case .hostNotFound, .connectTimeout, .refused, .reset, .closedEarly, .proxyFailed:
      LinkProbe.hasRoute() ? .timeoutExceeded : isLoopback ? .timeoutExceeded : .noNetwork
    case .localFile: .missingContent
    case .badScheme, .compressed, .badAnswer: .badContent
    default: .urlNotFound
    }
  }

  private var isLoopback: Bool { host == "localhost" || host.hasPrefix("127.") || host == "::1" || host == "[::1]" }

  private func tell(_ notice: NetNotice) {
    notice.append(to: notices, epoch: epoch, scratch: scratch)
    raise(.notice)
  }
}

// MARK: What comes

extension Receiver {
  fileprivate func receivedHead(_ head: HttpHead) -> HeadVerdict {
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

  fileprivate func received(_ bytes: Span<UInt8>) -> Flow {
    lastData = now
    guard hasRoom(toResume: false), let intake else { return .pause }
    intake.take(bytes, self)
    settle(intake)
    if intake.delivered > ReconnectPolicy.proof { policy.succeeded() }
    if keeper.writer.isAwaited { raise(.packets) }
    return .taken
  }

  fileprivate func ended(_ end: TransferEnd) {
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
  private func hasRoom(toResume: Bool) -> Bool {
    guard keeper.writer.freeBlockCount >= (toResume ? 14 : 12) else { return false }
    guard let facts, intake?.phase == .audio else { return true }
    let limit = facts.isLive ? max(request.liveAhead, StreamTime(seconds: 20)) : request.fileAhead
    return keeper.writer.ahead < (toResume ? StreamTime(ticks: limit.ticks / 8 * 7) : limit)
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
  private func joined(_ stitch: Stitch?) {
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
private final class Connection: TransferHandler {
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
