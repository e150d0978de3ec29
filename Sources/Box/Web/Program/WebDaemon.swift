import CMicrohttpd
import Glibc
import System
import Units

final class WebDaemon {
  private let site: WebSite
  private let clock: Clock
  private var daemon: OpaquePointer?
  private var visitors = VisitorTable()
  private var isEnding = false
  /// True if the last iteration read a file, so the next one sends more.
  private(set) var hasRead = false
  private var waiting: [ObjectIdentifier: WebCall] = [:]
  private let readers: BlockReaders
  private var downloads: [ObjectIdentifier: FileDownload] = [:]

  /// Memory per connection in bytes: 8 KiB for the request's head, the rest for libmicrohttpd.
  private static let memory = 24_576
  /// Maximum number of connections. Larger than the maximum of visitors, because an ended connection is freed later.
  private static let maxConnections: UInt32 = 96

  /// Creates a daemon for a site. `tls`: key and certificate in PEM format; nil for no encryption.
  init(
    _ site: WebSite, tls: (key: String, certificate: String)?, _ readers: BlockReaders, _ clock: Clock
  ) throws(WebError) {
    (self.site, self.readers, self.clock) = (site, readers, clock)
    var calls = bk_http_calls(
      handle: { context, connection, path, method, _, upload, size, slot in
        guard let context, let connection, let path, let method, let size, let slot else {
          return bk_http_result(false)
        }
        let daemon = Unmanaged<WebDaemon>.fromOpaque(context).takeUnretainedValue()
        let piece = UnsafeRawBufferPointer(start: upload, count: upload == nil ? 0 : size.pointee)
        size.pointee = 0
        guard let exchange = slot.pointee else {
          return daemon.begin(connection, String(cString: method), String(cString: path), slot)
        }
        return daemon.continueRequest(
          connection, Unmanaged<WebExchange>.fromOpaque(exchange).takeUnretainedValue(), piece)
      },
      complete: { context, _, slot, _ in
        guard let context, let exchange = slot?.pointee else { return }
        slot?.pointee = nil
        let daemon = Unmanaged<WebDaemon>.fromOpaque(context).takeUnretainedValue()
        daemon.end(Unmanaged<WebExchange>.fromOpaque(exchange).takeRetainedValue())
      },
      connect: { context, connection, owner, code in
        guard let context, let connection, let owner else { return }
        let daemon = Unmanaged<WebDaemon>.fromOpaque(context).takeUnretainedValue()
        if bk_http_is_start(code) {
          guard let visitor = daemon.visitors[bk_http_socket(connection)] else { return }
          owner.pointee = Unmanaged.passRetained(visitor).toOpaque()
        } else if let visitor = owner.pointee {
          owner.pointee = nil
          daemon.visitors.remove(Unmanaged<Visitor>.fromOpaque(visitor).takeRetainedValue())
        }
      }, context: Unmanaged.passUnretained(self).toOpaque())
    daemon = bk_http_start(&calls, Self.memory, Self.maxConnections, tls?.key, tls?.certificate)
    guard daemon != nil else { throw tls == nil ? .noDaemon : .badCertificate }
  }

  deinit { if let daemon { MHD_stop_daemon(daemon) } }

  var descriptor: Int32 { daemon.map { bk_http_descriptor($0) } ?? -1 }

  var due: MonotonicTime { visitors.due }

  /// Maximum milliseconds until the next `run`; -1 for no limit.
  var patience: Int64 { daemon.map { bk_http_patience($0) } ?? -1 }

  func add(_ connection: Int32) {
    guard let daemon else { return }
    let visitor = Visitor(connection, at: clock.now())
    guard visitors.add(visitor) else {
      close(connection)
      return
    }
    // `bk_http_add` closes a connection that it refuses.
    if !bk_http_add(daemon, connection) { visitors.remove(visitor) }
  }

  func run(at now: MonotonicTime) {
    hasRead = false
    visitors.expire(at: now)
    readers.finished.flag.clear()
    for download in downloads.values { download.attend() }
    if let daemon { MHD_run(daemon) }
  }

  /// Answers waiting requests and ends downloads before the stop, because libmicrohttpd aborts the program if a
  /// connection is suspended.
  func finish() {
    isEnding = true
    for call in waiting.values { call.answer(ApiFault.noRadio) }
    for download in downloads.values { download.end() }
    if let daemon { MHD_run(daemon) }
  }

  // MARK: Requests

  private func begin(
    _ connection: OpaquePointer, _ method: String, _ path: String,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    guard let owner = bk_http_owner(connection) else { return bk_http_result(false) }
    let visitor = Unmanaged<Visitor>.fromOpaque(owner).takeUnretainedValue()
    let exchange = WebExchange(visitor, WebHead(connection, method: method, path: path, visitor.connection))
    slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
    do throws(ApiFault) { exchange.verdict = .success(try site.admit(exchange.call.head)) } catch {
      exchange.verdict = .failure(error)
      // Respond at once and ignore the rest of the body, which is too large. The response ends the connection.
      guard [413, 431].contains(error.status) else { return bk_http_result(true) }
      visitor.enter(.served, at: clock.now())
      return send(WebReply(error), connection, visitor)
    }
    return bk_http_result(true)
  }

  private func continueRequest(
    _ connection: OpaquePointer, _ exchange: WebExchange, _ piece: UnsafeRawBufferPointer
  ) -> MHD_Result {
    if !piece.isEmpty {
      exchange.append(piece)
      return bk_http_result(true)
    }
    let call = exchange.call
    if exchange.isAnswered {
      return send(call.reply ?? WebReply(ApiFault.silent), connection, exchange.visitor)
    }
    exchange.isAnswered = true
    exchange.visitor.enter(.served, at: clock.now())
    let target: WebSite.Target
    do throws(ApiFault) {
      if isEnding { throw .noRadio }
      target = try exchange.verdict.get()
      if call.body.isTooLarge { throw .bodyTooLarge }
    } catch {
      return send(WebReply(error), connection, exchange.visitor)
    }
    site.answer(call, target)
    if let reply = call.reply { return send(reply, connection, exchange.visitor) }
    MHD_suspend_connection(connection)
    waiting[ObjectIdentifier(call)] = call
    call.onReply = { [unowned self, unowned call] in
      waiting[ObjectIdentifier(call)] = nil
      MHD_resume_connection(connection)
    }
    return bk_http_result(true)
  }

  private func end(_ exchange: WebExchange) {
    exchange.call.reply?.stream?.close()
    if let download = exchange.call.reply?.download {
      download.close()
      downloads[ObjectIdentifier(download)] = nil
    }
    exchange.visitor.enter(.asking, at: clock.now())
  }

  // MARK: Responses

  private func send(_ reply: WebReply, _ connection: OpaquePointer, _ visitor: Visitor) -> MHD_Result {
    guard let response = Self.response(reply) else { return bk_http_result(false) }
    if let stream = reply.stream {
      stream.open(connection, visitor)
      visitor.enter(.listening, at: clock.now())
    }
    // A browser that reads its file is as patient with the next block as with a new response.
    if let download = reply.download {
      download.onRead = { [unowned self, unowned visitor] in
        hasRead = true
        visitor.enter(.served, at: clock.now())
      }
      download.open(connection, visitor, readers)
      downloads[ObjectIdentifier(download)] = download
      if isEnding { download.end() }
    }
    let isFile = reply.headers.contains { $0.name == "ETag" }
    bk_http_add_header(response, "Content-Type", reply.type)
    bk_http_add_header(response, "Cache-Control", isFile ? "no-cache" : "no-store")
    for (name, value) in WebReply.usualHeaders + reply.headers { bk_http_add_header(response, name, value) }
    return bk_http_answer(connection, UInt32(reply.status), response)
  }

  private static func response(_ reply: WebReply) -> OpaquePointer? {
    if let stream = reply.stream { return response(stream) }
    if let download = reply.download, download.count > 0 { return response(download) }
    return reply.body.withUnsafeBytes { bk_http_response($0.baseAddress, $0.count) }
  }

  private static func response(_ download: FileDownload) -> OpaquePointer? {
    bk_http_blocks(
      UInt64(download.count), FileDownload.blockLength,
      { context, position, buffer, count in
        guard let context, let buffer else { return bk_http_failure() }
        let download = Unmanaged<FileDownload>.fromOpaque(context).takeUnretainedValue()
        return download.read(at: position, into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
          ?? bk_http_failure()
      }, Unmanaged.passRetained(download).toOpaque(),
      { context in
        guard let context else { return }
        Unmanaged<FileDownload>.fromOpaque(context).release()
      })
  }

  private static func response(_ stream: EventStream) -> OpaquePointer? {
    bk_http_stream(
      { context, _, buffer, count in
        guard let context, let buffer else { return bk_http_end() }
        let stream = Unmanaged<EventStream>.fromOpaque(context).takeUnretainedValue()
        return stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count)) ?? bk_http_end()
      }, Unmanaged.passRetained(stream).toOpaque(),
      { context in
        guard let context else { return }
        Unmanaged<EventStream>.fromOpaque(context).release()
      })
  }
}
