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
  var keeper: PacketKeeper
  private let notices: UnsafePointer<EventRing>
  private let board: UnsafePointer<StatusBoard>
  let raise: (Raise) -> Void
  private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: EventRing.longest, alignment: 16)

  /// Whom to call.
  enum Raise {
    /// Those who wait for packets.
    case packets
    /// Those who read notices.
    case notice
  }

  var state = State.idle
  private var epoch: UInt32 = 0
  /// The number of the connection that counts; an older one's last words are not heard.
  private(set) var connection = 0
  var request = StationRequest(url: "")
  var candidates: Candidates?
  var policy = ReconnectPolicy(seed: UInt64(bitPattern: bk_monotonic_ns()))
  private var began = MonotonicTime.zero
  var titles = TitleText(encoding: nil)
  var lastTitle: StationTitle?

  var facts: StationFacts?
  var intake: StreamIntake?
  var lastData = MonotonicTime.zero
  /// Why the transfer was ended by us.
  var verdict: Trouble?
  var retryAfter = MonotonicTime.zero
  /// Whether any failure of this round may pass by itself.
  var mayPass = false
  var hasPlayed = false
  /// Whether the sink takes sound so fast that half of what is held went during the last pause.
  private var isOutrun = false
  /// Whether this connection's audio has been told of.
  var isAnnounced = false

  /// A receiver that fills `writer`'s ring and sees by `board` what is heard; `raise` calls those who wait for packets
  /// or notices.
  init(
    _ engine: HttpEngine, _ writer: consuming BlockWriter, _ notices: UnsafePointer<EventRing>,
    _ board: UnsafePointer<StatusBoard>, raise: @escaping (Raise) -> Void
  ) {
    self.engine = engine
    keeper = PacketKeeper(writer)
    self.notices = notices
    self.board = board
    self.raise = raise
  }

  deinit { scratch.deallocate() }

  var now: MonotonicTime { MonotonicTime(nanoseconds: bk_monotonic_ns()) }

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
        if hasRoom(toResume: true) {
          isOutrun = keeper.writer.ahead.ticks < mostAhead.ticks / 2
          transfer.resume()
        }
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
      transfer.isPaused ? now + MonotonicTime(milliseconds: isOutrun ? 5 : 100) : lastData + request.dataTimeout
    }
  }

  /// Whether so much is held that looking every 200 ms is enough.
  var isAtEase: Bool {
    guard case .receiving(let transfer) = state, facts?.isLive == true, !transfer.isPaused, keeper.deadline == nil
    else { return false }
    return keeper.writer.ahead >= StreamTime(seconds: 1) || unheard >= Self.ease
  }

  /// Of the second that a station without a burst begins with, what has to be left before 200 ms may pass unseen.
  private static let ease = StreamTime(seconds: 0.75)

  /// What has come and is still to be heard, decoded or not; zero before the programme sounds.
  private var unheard: StreamTime {
    guard board.pointee.heardEpoch.load(ordering: .acquiring) == epoch else { return .zero }
    return keeper.writer.time - StreamTime(ticks: board.pointee.heard.load(ordering: .relaxed))
  }

  // MARK: Connecting

  func connect() {
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
  func end(_ transfer: Transfer, _ reason: Trouble) {
    verdict = reason
    transfer.cancel()
  }

  // MARK: Failing

  /// An address did not do: the next one, or a wait, or the end.
  func failed(_ trouble: Trouble, mayPass passes: Bool) {
    state = .idle
    intake = nil
    if hasPlayed && facts?.isLive != false { return lost(trouble) }
    mayPass = mayPass || passes
    if candidates?.next() == true {
      tell(.trouble(trouble, isFinal: false))
      return connect()
    }
    guard mayPass, now - began < request.patience else {
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

  func shown(_ text: String?) -> String? { text.map { DisplayText.clean($0) } }
  var shownURL: String { WebAddress.redacting(candidates?.current.address.url ?? request.url) }
  var host: String { candidates?.current.address.host ?? "The station" }

  func trouble(_ error: NetworkError, _ url: String) -> Trouble {
    Trouble(kind(of: error), url: WebAddress.redacting(url), message: error.sentence(for: url))
  }

  func kind(of error: NetworkError) -> Trouble.Kind {
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

  func tell(_ notice: NetNotice) {
    notice.append(to: notices, epoch: epoch, scratch: scratch)
    raise(.notice)
  }
}
