import CCurl
import Units

/// A running request. Owned by the engine until its end. Engine thread only.
public final class Transfer {
  enum Source {
    case server(EasyHandle)
    case file(LocalFile)
  }

  private(set) var source: Source?

  var isStarted = false

  var isFile: Bool { if case .file = source { true } else { false } }

  package var hasSentRequest: Bool {
    if case .server(let easy) = source { hop.number > 0 || easy.hasSentRequest } else { false }
  }

  package var remoteAddress: String? { if case .server(let easy) = source { easy.remoteAddress } else { nil } }

  var wantsMore: Bool { !isCancelled && failure == nil }

  /// True after the handler returned `.pause`, until the engine continues the transfer.
  public private(set) var isPaused = false

  /// Host at which the transfer failed, perhaps after redirects.
  package private(set) var failedHost: String?

  /// Address range of the first request's host; nil before its response, for a local file, or if only a proxy knows.
  package private(set) var home: AddressRange?

  private(set) var redirect: StationAddress?

  /// `Date` of a response whose sender was proven by TLS, until `consumeProvenDate`. A response through a proxy does
  /// not count.
  private var provenDate: Int64?

  private(set) var hop: TransferRequest

  /// True if libcurl passes the response on unparsed.
  var isLoose: Bool { if case .server(let easy) = source { easy.isLoose } else { false } }

  /// True if the request may be repeated with `LooseRequest`.
  private var mayBeLoose: Bool {
    guard wantsMore, !isHeadDelivered, case .server(let easy) = source else { return false }
    return !easy.isLoose && !easy.isProxied
  }

  /// Returns true if the request must be repeated with `LooseRequest` after its end.
  func needsLoose(after code: CURLcode) -> Bool {
    mayBeLoose && (code == CURLE_WEIRD_SERVER_REPLY || reader.hasBadLength)
  }

  package var redirectCount: Int { hop.number }

  /// The request to the target of the last redirect, with the secrets for this target; nil without a redirect.
  package var redirectedRequest: HttpRequest? {
    guard hop.number > 0 else { return nil }
    var request = hop.request
    request.url = hop.address.url
    request.credentials = hop.address.credentials ?? request.credentials
    return request
  }

  /// Nil without redirects.
  package var followed: FollowedRedirect? {
    guard let lifetime, let request = redirectedRequest else { return nil }
    return FollowedRedirect(request: request, lifetime: lifetime)
  }

  /// Bytes of the body received so far, before unpacking; 0 for a file.
  package var receivedByteCount: Int64 { if case .server(let easy) = source { easy.receivedByteCount } else { 0 } }

  /// Bytes of the heads and the body received so far, before unpacking; 0 for a file.
  var loadByteCount: Int64 {
    if case .server(let easy) = source { easy.receivedByteCount + easy.headByteCount } else { 0 }
  }

  /// Shortest lifetime of all redirects; nil without redirects.
  private var lifetime: Duration?
  private var refusedRange: AddressRange?
  private var handler: (any TransferHandler)?
  private var reader = HeadReader()
  private var isHeadDelivered = false
  private var looseHead = LooseHead()
  /// Bytes of an unparsed body that are still to come; nil if the connection's end ends the body.
  private var unreadByteCount: Int64?
  /// Nil if the body is not chunked, or libcurl decodes its chunks.
  private var chunks: ChunkDecoder?
  /// Bytes processed before a pause, which libcurl delivers again.
  private var processedCount = 0
  private var unpackedByteCount: Int64 = 0
  private var isUnpacked = false
  private var isCancelled = false
  private var wantsResume = false
  private var failure: NetworkError?

  init(_ source: Source, _ hop: TransferRequest, handler: any TransferHandler) {
    (self.source, self.hop, self.handler) = (source, hop, handler)
  }

  /// Returns true if libcurl may connect to an address. `range`: its range; nil if unknown.
  func mayConnect(to range: AddressRange?) -> Bool {
    if let range, hop.request.reach.allows(range) { return true }
    if range == nil, hop.request.reach == .anywhere { return true }
    refusedRange = range ?? .reserved
    return false
  }

  func nextHop() throws(NetworkError) -> TransferRequest? {
    guard wantsMore, let redirect else { return nil }
    return try hop.next(to: redirect, home: home, hasCookie: reader.hasCookie)
  }

  func begin(_ next: TransferRequest, _ easy: EasyHandle) {
    if let told = reader.head?.redirectLifetime { lifetime = min(lifetime ?? told, told) }
    (source, hop) = (.server(easy), next)
    (redirect, refusedRange, isStarted) = (nil, nil, false)
    looseHead = LooseHead()
    reader.beginResponse()
  }

  /// Cancels the transfer. The only further call is `transferDidEnd` with `cancelled`, in the engine's next step.
  ///
  /// May be called from within a handler, and after the end.
  public func cancel() { isCancelled = true }

  /// Resumes a paused transfer, else without effect. The engine's next step delivers the refused bytes again.
  public func resume() { wantsResume = isPaused }

  /// True if the engine must act for the transfer before it may wait.
  var needsEngine: Bool {
    if source == nil { return false }
    if case .file = source, !isPaused { return true }
    return !isStarted || !wantsMore || wantsResume
  }

  func consumeResume() -> Bool {
    defer { wantsResume = false }
    if wantsResume { isPaused = false }
    return wantsResume
  }

  /// Processes one line of a head or a trailer. Returns false to end the transfer.
  func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
    guard wantsMore else { return false }
    let isEnd = reader.parse(line)
    if reader.isFlooded { return fail(.badAnswer) }
    if isEnd, reader.hasCookie, case .server(let easy) = source { easy.noteCookie() }
    guard isEnd, !isHeadDelivered else { return true }
    if reader.hasBadLength, mayBeLoose { return false }
    recordHome()
    redirect = reader.redirect
    if redirect != nil { return false }
    // A body compressed in several layers may keep libcurl busy for ever.
    if unpacks, reader.head?.isUnpackable == false { return fail(.compressed) }
    return reader.isSurelyFinal ? deliverHead() : true
  }

  /// Processes bytes of the body. Returns nil to end the transfer.
  func receive(body bytes: UnsafeRawBufferPointer) -> Flow? {
    guard wantsMore, isHeadDelivered || deliverHead() else { return nil }
    guard !unpacks || countUnpacked(bytes.count) else { return nil }
    if chunks == nil { return deliver(bytes) }
    var place = min(processedCount, bytes.count)
    processedCount -= place
    do throws(ChunkDecoder.Fault) {
      while let chunk = try chunks?.next(in: bytes, from: &place) {
        guard let flow = deliver(UnsafeRawBufferPointer(rebasing: bytes[chunk])) else { return nil }
        if flow == .pause {
          // libcurl delivers all of `bytes` again.
          processedCount = chunk.lowerBound
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

  private var unpacks: Bool { hop.request.acceptsGzip && !isLoose }

  /// Processes bytes of a response that libcurl does not parse. Returns nil to end the transfer.
  func receive(unparsed bytes: UnsafeRawBufferPointer) -> Flow? {
    guard wantsMore else { return nil }
    guard looseHead.read(bytes, parse: parseLooseLine) else {
      if wantsMore, redirect == nil { _ = fail(.badAnswer) }
      return nil
    }
    guard looseHead.isComplete else { return .taken }
    let rest = bytes.count - looseHead.lead
    let count = unreadByteCount.map { Int(min(Int64(rest), $0)) } ?? rest
    let body = UnsafeRawBufferPointer(rebasing: bytes[looseHead.lead..<looseHead.lead + count])
    let flow = count > 0 ? receive(body: body) : .taken
    guard flow == .taken else { return flow }
    looseHead.endPiece()
    unreadByteCount = unreadByteCount.map { $0 - Int64(count) }
    return unreadByteCount == 0 ? nil : .taken
  }

  /// Returns true at the end of the final head; nil ends the transfer.
  private func parseLooseLine(_ line: UnsafeRawBufferPointer) -> Bool? {
    if reader.head == nil, !line.starts(with: "HTTP/".utf8), !line.starts(with: "ICY ".utf8) {
      _ = fail(.badAnswer)
      return nil
    }
    let isEnd = reader.isOpen && line.allSatisfy { $0 == 0x0A || $0 == 0x0D }
    guard receive(headerLine: line) else { return nil }
    guard isEnd, let head = reader.head, head.status >= 200 || head.isIcy else { return false }
    guard isHeadDelivered || deliverHead() else { return nil }
    unreadByteCount = head.isChunked ? nil : head.contentLength
    return true
  }

  /// Returns the end of a response that libcurl did not parse.
  private func looseEnd(_ code: CURLcode) -> TransferEnd? {
    guard isLoose, looseHead.isComplete else { return nil }
    if unreadByteCount == 0, wantsMore { return .complete }
    guard code == CURLE_OK else { return nil }
    return unreadByteCount == nil && chunks?.isComplete != false ? .complete : .failed(.closedEarly)
  }

  private func countUnpacked(_ count: Int) -> Bool {
    guard case .server(let easy) = source else { return true }
    unpackedByteCount += Int64(count)
    let packed = easy.receivedByteCount + Self.maxUncountedBytes
    return unpackedByteCount <= packed * Self.maxUnpackedRatio || fail(.badAnswer)
  }

  /// Maximum number of unpacked bytes per received byte.
  private static let maxUnpackedRatio: Int64 = 20
  /// Maximum number of bytes that libcurl has received but not counted.
  private static let maxUncountedBytes: Int64 = 16_384

  private func deliver(_ bytes: UnsafeRawBufferPointer) -> Flow? {
    guard let handler else { return nil }
    let flow = bytes.withMemoryRebound(to: UInt8.self) { handler.transferDidReceive($0.span) }
    guard wantsMore else { return nil }
    isPaused = flow == .pause
    // During a pause, libcurl would buffer all unpacked bytes.
    if isPaused, isUnpacked, !fail(.compressed) { return nil }
    return flow
  }

  /// Reads and delivers the next bytes of a local file. Returns nil if the file continues.
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

  func end(_ code: CURLcode) -> TransferEnd {
    if let end = looseEnd(code) { return end }
    if code == CURLE_OK { return isLoose ? .failed(.badAnswer) : .complete }
    guard case .server(let easy) = source else { return .failed(.cancelled) }
    failedHost = hop.address.host
    if let refusedRange, [CURLE_COULDNT_CONNECT, CURLE_ABORTED_BY_CALLBACK].contains(code) {
      return .failed(hop.number > 0 && SignInPage.matches(hop.address) ? .signIn : .outOfReach(refusedRange))
    }
    return .failed(easy.error(code))
  }

  /// Releases the source and reports the end, once. A cancel or the transfer's own failure takes precedence over `end`.
  func finish(_ end: TransferEnd) {
    if end == .complete, wantsMore, !isHeadDelivered { _ = deliverHead() }
    source = nil
    isPaused = false
    handler.take()?.transferDidEnd(isCancelled ? .failed(.cancelled) : failure.map { .failed($0) } ?? end)
  }

  func consumeProvenDate() -> Int64? { provenDate.take() }

  /// Records the date. libcurl has verified certificate and host before the response.
  private func recordDate() {
    guard case .server(let easy) = source, !easy.isProxied, hop.address.scheme == "https" else { return }
    provenDate = reader.head?.date
  }

  func abandon() { (source, handler) = (nil, nil) }

  private func recordHome() {
    guard hop.number == 0, home == nil, case .server(let easy) = source else { return }
    home = AddressRange(literalSeenHere: easy.isProxied ? hop.address.host : easy.remoteAddress ?? "")
  }

  private func fail(_ error: NetworkError) -> Bool {
    failure = error
    return false
  }

  private func deliverHead() -> Bool {
    isHeadDelivered = true
    if reader.head?.isChunked == true, !unpacks { chunks = ChunkDecoder() }
    recordHome()
    recordDate()
    let head = finalHead()
    if [301, 302, 303, 307, 308].contains(head.status) { return fail(.badRedirect) }
    isUnpacked = unpacks && head.isGzipped
    if 200..<300 ~= head.status, head.isCompressed, !isUnpacked { return fail(.compressed) }
    if handler?.transferDidReceiveHead(head) == .stop { isCancelled = true }
    return wantsMore
  }

  /// Returns the received head, or a substitute for files and for bare bytes (HTTP/0.9).
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
