import CCurl
import Units

/// One request under way; it lives in the engine until it ends, and is used on the engine's thread.
public final class Transfer {
  /// Where the bytes come from.
  enum Source {
    case server(EasyHandle)
    case file(LocalFile)
  }

  /// Nil once the transfer is over.
  private(set) var source: Source?

  /// Whether the engine has taken it up.
  var isStarted = false

  /// Whether a local file is read.
  var isFile: Bool { if case .file = source { true } else { false } }

  /// Whether the server was reached and the request sent.
  var isAsked: Bool { if case .server(let easy) = source { hop.number > 0 || easy.isAsked } else { false } }

  /// The numeric address of the server that answers; nil before it is reached.
  var remoteAddress: String? { if case .server(let easy) = source { easy.remoteAddress } else { nil } }

  /// Whether it goes on: neither called off nor failed by its own judgement.
  var wantsMore: Bool { !isCancelled && failure == nil }

  /// Whether the handler took no bytes and has not asked for them since.
  public private(set) var isPaused = false

  /// The host that a transfer of a server's failed at, be it one that a redirect led to.
  private(set) var failedHost: String?

  /// The range in which the host of the first request was found; nil before that answered, where a proxy knows it, and
  /// for a local file.
  private(set) var home: AddressRange?

  /// Where the answer redirects to that is over now.
  private(set) var redirect: StationAddress?

  private var hop: Hop

  /// How many redirects it followed.
  var redirectCount: Int { hop.number }
  /// The last range that an address of the host was refused for.
  private var refusedRange: AddressRange?
  private var handler: (any TransferHandler)?
  private var reader = HeadReader()
  private var isHeadDelivered = false
  /// What takes the body's chunks apart; nil where it has none.
  private var chunks: ChunkDecoder?
  /// Bytes that come again after a pause, and were taken before it.
  private var takenCount = 0
  /// Bytes that were unpacked.
  private var unpackedByteCount: Int64 = 0
  private var isUnpacked = false
  private var isCancelled = false
  private var wantsResume = false
  private var failure: NetworkError?

  init(_ source: Source, _ hop: Hop, handler: any TransferHandler) {
    (self.source, self.hop, self.handler) = (source, hop, handler)
  }

  /// Whether libcurl may connect to an address of a range; nil where it has none that is known.
  func mayConnect(to range: AddressRange?) -> Bool {
    if let range, hop.request.reach.allows(range) { return true }
    if range == nil, hop.request.reach == .anywhere { return true }
    refusedRange = range ?? .reserved
    return false
  }

  /// The request that the redirect asks for; nil where the transfer was called off.
  func nextHop() throws(NetworkError) -> Hop? {
    guard wantsMore, let redirect else { return nil }
    return try hop.next(to: redirect, home: home)
  }

  /// Goes on with the next request.
  func begin(_ next: Hop, _ easy: EasyHandle) {
    (source, hop) = (.server(easy), next)
    (redirect, refusedRange, isStarted) = (nil, nil, false)
    reader.beginAnswer()
  }

  /// Calls the transfer off: nothing more comes but `transferDidEnd` with `cancelled`, at the engine's next step.
  ///
  /// Safe from within a handler, and after the end.
  public func cancel() { isCancelled = true }

  /// Asks for the bytes that the handler left; they come at the engine's next step.
  ///
  /// Without effect where the transfer is not paused.
  public func resume() { wantsResume = isPaused }

  /// Whether the engine has something to do for it before it may wait.
  var hasOrders: Bool {
    if source == nil { return false }
    if case .file = source, !isPaused { return true }
    return !isStarted || !wantsMore || wantsResume
  }

  /// Whether to go on; ends the pause.
  func takeResume() -> Bool {
    defer { wantsResume = false }
    if wantsResume { isPaused = false }
    return wantsResume
  }

  /// Takes one line of a head or of a trailer; false ends the transfer.
  func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
    guard wantsMore else { return false }
    let isEnd = reader.take(line)
    if reader.isFlooded { return fail(.badAnswer) }
    guard isEnd, !isHeadDelivered else { return true }
    noteHome()
    redirect = reader.redirect
    if redirect != nil { return false }
    // What is packed in layers may keep libcurl busy without end, and nothing come of it.
    if hop.request.acceptsGzip, reader.head?.isUnpackable == false { return fail(.compressed) }
    return reader.isSurelyFinal ? deliverHead() : true
  }

  /// Takes bytes of the body; nil ends the transfer.
  func receive(body bytes: UnsafeRawBufferPointer) -> Flow? {
    guard wantsMore, isHeadDelivered || deliverHead() else { return nil }
    guard !hop.request.acceptsGzip || mayUnpack(bytes.count) else { return nil }
    if chunks == nil { return deliver(bytes) }
    var place = min(takenCount, bytes.count)
    takenCount -= place
    do throws(ChunkDecoder.Fault) {
      while let chunk = try chunks?.next(in: bytes, from: &place) {
        guard let flow = deliver(UnsafeRawBufferPointer(rebasing: bytes[chunk])) else { return nil }
        if flow == .pause {
          // All of `bytes` comes again.
          takenCount = chunk.lowerBound
          chunks?.putBack(chunk)
          return .pause
        }
      }
      return .taken
    } catch {
      _ = fail(error == .flooded ? .badAnswer : .reset)
      return nil
    }
  }

  /// Whether so many bytes more are in proportion to what came packed.
  private func mayUnpack(_ count: Int) -> Bool {
    guard case .server(let easy) = source else { return true }
    unpackedByteCount += Int64(count)
    let packed = easy.receivedByteCount + Self.mostPackedAtOnce
    return unpackedByteCount <= packed * Self.mostUnpacked || fail(.badAnswer)
  }

  /// Bytes that each byte of a packed body may become.
  private static let mostUnpacked: Int64 = 20
  /// Bytes that libcurl may have received and not counted.
  private static let mostPackedAtOnce: Int64 = 16_384

  /// Hands bytes over; nil ends the transfer.
  private func deliver(_ bytes: UnsafeRawBufferPointer) -> Flow? {
    guard let handler else { return nil }
    let flow = bytes.withMemoryRebound(to: UInt8.self) { handler.transferDidReceive($0.span) }
    guard wantsMore else { return nil }
    isPaused = flow == .pause
    // libcurl would keep all that the packed bytes become.
    if isPaused, isUnpacked, !fail(.compressed) { return nil }
    return flow
  }

  /// Reads the next bytes of a local file.
  func readFile(_ file: LocalFile, into buffer: UnsafeMutableRawBufferPointer) -> TransferEnd? {
    guard wantsMore, isHeadDelivered || deliverHead() else { return .failed(.cancelled) }
    do throws(NetworkError) {
      let count = try file.read(into: buffer)
      if count == 0 { return .complete }
      switch receive(body: UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
      case .taken: return nil
      case .pause:
        file.unread(count)
        return nil
      case nil: return .failed(.cancelled)
      }
    } catch {
      return .failed(error)
    }
  }

  /// How libcurl's result reads, with what the transfer itself knows.
  func end(_ code: CURLcode) -> TransferEnd {
    if code == CURLE_OK { return .complete }
    guard case .server(let easy) = source else { return .failed(.cancelled) }
    failedHost = hop.address.host
    if let refusedRange, [CURLE_COULDNT_CONNECT, CURLE_ABORTED_BY_CALLBACK].contains(code) {
      return .failed(.outOfReach(refusedRange))
    }
    return .failed(easy.error(code))
  }

  /// Lets go of the source and tells the handler, once; the transfer's own reason comes before `end`.
  func finish(_ end: TransferEnd) {
    if end == .complete, wantsMore, !isHeadDelivered { _ = deliverHead() }
    source = nil
    isPaused = false
    let told = handler
    handler = nil
    told?.transferDidEnd(isCancelled ? .failed(.cancelled) : failure.map { .failed($0) } ?? end)
  }

  /// Lets go of everything, telling nobody.
  func abandon() { (source, handler) = (nil, nil) }

  /// Remembers where the first host was found.
  private func noteHome() {
    guard hop.number == 0, home == nil, case .server(let easy) = source else { return }
    home = AddressRange(literalSeenHere: easy.isProxied ? hop.address.host : easy.remoteAddress ?? "")
  }

  private func fail(_ error: NetworkError) -> Bool {
    failure = error
    return false
  }

  private func deliverHead() -> Bool {
    isHeadDelivered = true
    if reader.head?.isChunked == true, !hop.request.acceptsGzip { chunks = ChunkDecoder() }
    noteHome()
    let head = finalHead()
    if [301, 302, 303, 307, 308].contains(head.status) { return fail(.badRedirect) }
    isUnpacked = hop.request.acceptsGzip && head.isGzipped
    if 200..<300 ~= head.status, head.isCompressed, !isUnpacked { return fail(.compressed) }
    if handler?.transferDidReceiveHead(head) == .stop { isCancelled = true }
    return wantsMore
  }

  /// What was read, or for bare bytes (HTTP/0.9) and files what a server would have said.
  private func finalHead() -> HttpHead {
    switch source {
    case .file(let file): return file.head
    case .server:
      var head = reader.head ?? HttpHead(status: 200, effectiveURL: "")
      head.effectiveURL = hop.address.url
      return head
    case nil: return HttpHead(status: 200, effectiveURL: "")
    }
  }
}
