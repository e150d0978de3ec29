import CCurl
import Glibc
import System
import Units

/// Runs all transfers of one thread with libcurl's multi interface (`libcurl-multi(3)`).
///
/// Use only on the thread that calls `step`. Handlers are called only within `step`.
public final class HttpEngine {
  package let clock: Clock

  private let multi: MultiHandle
  private let trust: TrustStore
  /// The cookies of each programme, by its number.
  private var cookies: [Int: CookieJar] = [:]
  /// Bytes of each programme's ended transfers.
  private var endedBytes: [Int: Int64] = [:]
  private var transfers: [Transfer] = []
  /// The last servers with a head that libcurl refused, as "host:port".
  private var looseServers: [String] = []
  private static let maxLooseServers = 16
  private var isStepping = false
  private var serverTimes: [ServerTime] = []
  /// Maximum number of times until `removeServerTimes`; later times are dropped.
  private static let maxServerTimes = 16

  /// Creates an engine without transfers. All its waits use `clock`.
  ///
  /// - Throws: `outOfMemory`, or `internal` if libcurl cannot start.
  public init(trust: TrustStore = TrustStore(), clock: Clock = .machine) throws(NetworkError) {
    multi = try MultiHandle()
    self.trust = trust
    self.clock = clock
  }

  deinit {
    for transfer in transfers {
      removeFromMulti(transfer)
      transfer.abandon()
    }
  }

  /// Starts a transfer. The next steps call its handler, exactly once with the end of the transfer.
  ///
  /// - Throws: `badURL`, `badScheme`, `badHeader`, `outOfReach`, `refusedPort`, `localFile`. All are found without a
  ///   server.
  public func start(_ request: HttpRequest, handler: any TransferHandler) throws(NetworkError) -> Transfer {
    let hop = try TransferRequest(request)
    let transfer: Transfer
    if hop.address.isFile {
      let file = try LocalFile(hop.address, firstByte: request.firstByte, byteCount: request.byteCount)
      transfer = Transfer(.file(file), hop, handler: handler)
    } else {
      let easy = try makeHandle(hop)
      transfer = Transfer(.server(easy), hop, handler: handler)
      try easy.deliver(to: transfer)
    }
    transfers.append(transfer)
    return transfer
  }

  /// Forgets the cookies of a programme. Running transfers continue with theirs.
  package func forgetCookies(of programme: Int) { cookies[programme] = nil }

  /// Bytes of all heads and bodies that a programme has received since the engine started, before unpacking.
  package func receivedByteCount(of programme: Int) -> Int64 {
    transfers.reduce(endedBytes[programme] ?? 0) {
      $1.hop.request.programme == programme ? $0 + $1.loadByteCount : $0
    }
  }

  /// Removes and returns the times in responses by HTTPS without a proxy.
  package func removeServerTimes() -> [ServerTime] {
    defer { serverTimes = [] }
    return serverTimes
  }

  private func recordServerTimes() {
    for transfer in transfers {
      guard let seconds = transfer.consumeProvenDate(), serverTimes.count < Self.maxServerTimes else { continue }
      serverTimes.append(ServerTime(host: transfer.hop.address.host, seconds: seconds, received: clock.now()))
    }
  }

  /// Applies pending commands, waits for an event, and delivers the received data.
  ///
  /// - Parameters:
  ///   - timeout: Maximum wait; zero returns at once.
  ///   - descriptors: File descriptors that also end the wait when readable (`poll(2)`).
  /// - Returns: True if one of `descriptors` is readable.
  @discardableResult
  public func step(timeout: Duration, watching descriptors: [Int32] = []) -> Bool {
    precondition(!isStepping, "a transfer's handler does not step its own engine")
    isStepping = true
    defer { isStepping = false }
    applyCommands()
    let isReady = wait(transfers.contains { $0.needsEngine } ? .zero : timeout, descriptors)
    var running: Int32 = 0
    curl_multi_perform(multi.raw, &running)
    recordServerTimes()
    for jar in cookies.values { jar.trim() }
    readFiles()
    endTransfers()
    return isReady
  }

  /// Applies commands that handlers may have given within libcurl's callbacks, where libcurl forbids these calls.
  private func applyCommands() {
    for transfer in transfers {
      if !transfer.wantsMore {
        finish(transfer, .failed(.cancelled))
      } else if case .server(let easy) = transfer.source {
        applyCommands(of: transfer, easy)
      } else {
        _ = transfer.consumeResume()
      }
    }
  }

  private func applyCommands(of transfer: Transfer, _ easy: EasyHandle) {
    if !transfer.isStarted {
      let code = curl_multi_add_handle(multi.raw, easy.raw)
      guard code == CURLM_OK else { return finish(transfer, .failed(.internal(code: code.rawValue))) }
      transfer.isStarted = true
    } else if transfer.consumeResume() {
      // Delivers the remaining data at once, so this call may call the handler.
      let code = curl_easy_pause(easy.raw, CURLPAUSE_CONT)
      if code != CURLE_OK { finish(transfer, transfer.end(code)) }
    }
  }

  private func wait(_ timeout: Duration, _ descriptors: [Int32]) -> Bool {
    var watched = descriptors.map { curl_waitfd(fd: $0, events: Int16(CURL_WAIT_POLLIN), revents: 0) }
    let milliseconds = clock.realMilliseconds(timeout.milliseconds)
    let code = curl_multi_poll(multi.raw, &watched, UInt32(watched.count), milliseconds, nil)
    // A failed poll returns at once. Without this wait the thread would spin.
    if code != CURLM_OK { poll(nil, 0, min(100, milliseconds)) }
    return watched.contains { $0.revents != 0 }
  }

  private func readFiles() {
    // Most radios never read a local file, and the buffer would only enlarge the stack.
    guard transfers.contains(where: { $0.isFile && !$0.isPaused }) else { return }
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 16) { buffer in
      for transfer in transfers where !transfer.isPaused {
        guard case .file(let file) = transfer.source else { continue }
        if let end = transfer.readFile(file, into: buffer) { finish(transfer, end) }
      }
    }
  }

  private func endTransfers() {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi.raw, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let raw = message.pointee.easy_handle else { continue }
      let code = curl_message_result(message)
      let transfer = transfers.first {
        if case .server(let easy) = $0.source { easy.raw == raw } else { false }
      }
      guard let transfer else { continue }
      if transfer.needsLoose(after: code) {
        requestLoosely(transfer)
      } else if transfer.redirect != nil {
        followRedirect(transfer)
      } else {
        finish(transfer, transfer.end(code))
      }
    }
  }

  private func followRedirect(_ transfer: Transfer) {
    removeFromMulti(transfer)
    do throws(NetworkError) {
      guard let hop = try transfer.nextHop() else { return finish(transfer, .failed(.cancelled)) }
      let easy = try makeHandle(hop)
      transfer.begin(hop, easy)
      try easy.deliver(to: transfer)
    } catch {
      finish(transfer, .failed(error))
    }
  }

  private func makeHandle(_ hop: TransferRequest) throws(NetworkError) -> EasyHandle {
    let isLoose = looseServers.contains(Self.server(of: hop.address)) && ProxyChoice().proxy(for: hop.address) == nil
    return try EasyHandle(
      hop, trust: trust, cookies: hop.request.programme.flatMap(jar), clock: clock, isLoose: isLoose)
  }

  /// Returns the cookies of a programme; nil if memory is missing.
  private func jar(_ number: Int) -> CookieJar? {
    let jar = cookies[number] ?? CookieJar()
    cookies[number] = jar
    return jar
  }

  private func rememberLooseServer(of address: WebAddress) {
    let server = Self.server(of: address)
    guard !looseServers.contains(server) else { return }
    if looseServers.count == Self.maxLooseServers { looseServers.removeFirst() }
    looseServers.append(server)
  }

  private static func server(of address: WebAddress) -> String { "\(address.host):\(address.port)" }

  /// Repeats a request whose response libcurl refuses to parse.
  private func requestLoosely(_ transfer: Transfer) {
    removeFromMulti(transfer)
    do throws(NetworkError) {
      let hop = transfer.hop
      rememberLooseServer(of: hop.address)
      let easy = try makeHandle(hop)
      transfer.begin(hop, easy)
      try easy.deliver(to: transfer)
    } catch {
      finish(transfer, .failed(error))
    }
  }

  private func finish(_ transfer: Transfer, _ end: TransferEnd) {
    removeFromMulti(transfer)
    transfers.removeAll { $0 === transfer }
    transfer.finish(end)
  }

  private func removeFromMulti(_ transfer: Transfer) {
    guard transfer.isStarted, case .server(let easy) = transfer.source else { return }
    if let programme = transfer.hop.request.programme {
      endedBytes[programme, default: 0] += transfer.loadByteCount
    }
    curl_multi_remove_handle(multi.raw, easy.raw)
  }
}

private final class MultiHandle {
  let raw: UnsafeMutableRawPointer

  private static let globalInit = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  init() throws(NetworkError) {
    let code = Self.globalInit
    guard code == CURLE_OK else { throw .internal(code: Int32(bitPattern: code.rawValue)) }
    guard let raw = curl_multi_init() else { throw .outOfMemory }
    self.raw = raw
  }

  deinit { curl_multi_cleanup(raw) }
}
