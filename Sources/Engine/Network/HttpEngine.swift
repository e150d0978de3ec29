import CCurl
import Glibc
import System
import Units

/// Every transfer of one thread, by libcurl's multi interface (`libcurl-multi(3)`).
///
/// All of it belongs to the thread that steps it. Its handlers are called from within `step` alone.
public final class HttpEngine {
  /// What its transfers wait by, and those who make them.
  let clock: Clock

  private let multi: MultiHandle
  private let trust: TrustStore
  private var transfers: [Transfer] = []
  private var isStepping = false

  /// An engine without transfers.
  ///
  /// - Parameters:
  ///   - trust: The certificates that its TLS connections trust.
  ///   - clock: What it waits by.
  /// - Throws: `outOfMemory`, or `internal` where libcurl cannot start.
  public init(trust: TrustStore = TrustStore(), clock: Clock = .machine) throws(NetworkError) {
    multi = try MultiHandle()
    self.trust = trust
    self.clock = clock
  }

  deinit {
    for transfer in transfers {
      leaveMulti(transfer)
      transfer.abandon()
    }
  }

  /// Begins a transfer; its handler hears of it from the next step on, and exactly once of its end.
  ///
  /// - Throws: `badURL`, `badScheme`, `badHeader`, `outOfReach`, `refusedPort`, `localFile`: what no server needs to be
  ///   asked about.
  public func start(_ request: HttpRequest, handler: any TransferHandler) throws(NetworkError) -> Transfer {
    let hop = try Hop(request)
    let transfer: Transfer
    if hop.address.isFile {
      let file = try LocalFile(hop.address, firstByte: request.firstByte, byteCount: request.byteCount)
      transfer = Transfer(.file(file), hop, handler: handler)
    } else {
      let easy = try EasyHandle(hop, trust: trust, clock: clock)
      transfer = Transfer(.server(easy), hop, handler: handler)
      try easy.deliver(to: transfer)
    }
    transfers.append(transfer)
    return transfer
  }

  /// Carries out what was asked for, waits until something happens, and passes on what came.
  ///
  /// - Parameters:
  ///   - timeout: The longest wait; zero only looks.
  ///   - descriptors: File descriptors that end the wait too, when one can be read (`poll(2)`).
  /// - Returns: Whether one of `descriptors` can be read.
  @discardableResult
  public func step(timeout: Duration, watching descriptors: [Int32] = []) -> Bool {
    precondition(!isStepping, "a transfer's handler does not step its own engine")
    isStepping = true
    defer { isStepping = false }
    obeyOrders()
    let isReady = wait(transfers.contains { $0.hasOrders } ? .zero : timeout, descriptors)
    var running: Int32 = 0
    curl_multi_perform(multi.raw, &running)
    readFiles()
    endTransfers()
    return isReady
  }

  /// libcurl allows none of this from within its callbacks, where the orders may have been given.
  private func obeyOrders() {
    for transfer in transfers {
      if !transfer.wantsMore {
        finish(transfer, .failed(.cancelled))
      } else if case .server(let easy) = transfer.source {
        obeyOrders(of: transfer, easy)
      } else {
        _ = transfer.takeResume()
      }
    }
  }

  private func obeyOrders(of transfer: Transfer, _ easy: EasyHandle) {
    if !transfer.isStarted {
      let code = curl_multi_add_handle(multi.raw, easy.raw)
      guard code == CURLM_OK else { return finish(transfer, .failed(.internal(code: code.rawValue))) }
      transfer.isStarted = true
    } else if transfer.takeResume() {
      // Hands over at once what was left, so the handler may be heard from within.
      let code = curl_easy_pause(easy.raw, CURLPAUSE_CONT)
      if code != CURLE_OK { finish(transfer, transfer.end(code)) }
    }
  }

  private func wait(_ timeout: Duration, _ descriptors: [Int32]) -> Bool {
    var watched = descriptors.map { curl_waitfd(fd: $0, events: Int16(CURL_WAIT_POLLIN), revents: 0) }
    let milliseconds = clock.realMilliseconds(timeout.milliseconds)
    let code = curl_multi_poll(multi.raw, &watched, UInt32(watched.count), milliseconds, nil)
    // A poll that fails returns at once; the thread must not spin on it.
    if code != CURLM_OK { poll(nil, 0, min(100, milliseconds)) }
    return watched.contains { $0.revents != 0 }
  }

  /// One buffer of each local file.
  private func readFiles() {
    // Most radios never read one: the buffer would only make the stack larger.
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
      if transfer.redirect == nil { finish(transfer, transfer.end(code)) } else { follow(transfer) }
    }
  }

  /// Asks for what a redirect names, in the same transfer.
  private func follow(_ transfer: Transfer) {
    leaveMulti(transfer)
    do throws(NetworkError) {
      guard let hop = try transfer.nextHop() else { return finish(transfer, .failed(.cancelled)) }
      let easy = try EasyHandle(hop, trust: trust, clock: clock)
      transfer.begin(hop, easy)
      try easy.deliver(to: transfer)
    } catch {
      finish(transfer, .failed(error))
    }
  }

  private func finish(_ transfer: Transfer, _ end: TransferEnd) {
    leaveMulti(transfer)
    transfers.removeAll { $0 === transfer }
    transfer.finish(end)
  }

  private func leaveMulti(_ transfer: Transfer) {
    guard transfer.isStarted, case .server(let easy) = transfer.source else { return }
    curl_multi_remove_handle(multi.raw, easy.raw)
  }
}

/// The owner of libcurl's multi handle.
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
