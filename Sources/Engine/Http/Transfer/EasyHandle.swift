import CCurl
import Glibc
import System
import Units

/// A libcurl easy handle with all options for a radio (`curl_easy_setopt(3)`).
final class EasyHandle {
  enum Route {
    case direct
    /// Through a proxy, which looks up host names itself.
    case proxy
    /// Direct; libcurl passes the response on unparsed (`LooseRequest`).
    case loose
  }

  let raw: UnsafeMutableRawPointer
  private let route: Route
  private let cookies: CookieJar?
  private var lists: [UnsafeMutablePointer<curl_slist>?] = []

  var isProxied: Bool { route == .proxy }

  var isLoose: Bool { route == .loose }

  /// `cookies`: the programme's cookies, for requests that share them.
  init(
    _ hop: TransferRequest, trust: TrustStore, cookies: CookieJar?, clock: Clock, isLoose: Bool = false
  ) throws(NetworkError) {
    guard let raw = curl_easy_init() else { throw .outOfMemory }
    self.raw = raw
    let request = hop.request
    self.cookies = request.sharesCookies ? cookies : nil
    let proxy = ProxyChoice().proxy(for: hop.address)
    route = proxy != nil ? .proxy : isLoose ? .loose : .direct
    try set(CURLOPT_PROXY, proxy ?? "")
    try set(CURLOPT_NOPROXY, "")
    try setRequest(request, hop.address)
    self.cookies?.attach(to: raw)
    let patience = clock.realMilliseconds(max(1, request.connectTimeout.milliseconds))
    try setProtocol(connectMilliseconds: patience, request.receiveBuffer == nil ? 16_384 : 4_096)
    try setSharing(request.sharedConnectionAge.map { clock.realMilliseconds(max(0, $0.milliseconds)) })
    if route == .loose { try setLoose(hop) } else if request.acceptsGzip { try setGzip() }
    try setTrust(trust)
  }

  deinit {
    curl_easy_cleanup(raw)
    for list in lists { curl_slist_free_all(list) }
  }

  /// Connects libcurl's callbacks to `transfer`, which must outlive the libcurl transfer.
  func deliver(to transfer: Transfer) throws(NetworkError) {
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    try check(curl_easy_setopt_pointer(raw, CURLOPT_HEADERDATA, context))
    try check(curl_easy_setopt_write(raw, CURLOPT_HEADERFUNCTION, receiveHeaderLine))
    try check(curl_easy_setopt_pointer(raw, CURLOPT_WRITEDATA, context))
    try check(curl_easy_setopt_write(raw, CURLOPT_WRITEFUNCTION, receiveBytes))
    if isProxied { return }
    try check(curl_easy_setopt_pointer(raw, CURLOPT_OPENSOCKETDATA, context))
    try check(curl_easy_setopt_opensocket(raw, CURLOPT_OPENSOCKETFUNCTION, openSocket))
    try check(curl_easy_setopt_pointer(raw, CURLOPT_PREREQDATA, context))
    try check(curl_easy_setopt_prereq(raw, CURLOPT_PREREQFUNCTION, mayRequest))
  }

  var remoteAddress: String? {
    var text: UnsafeMutablePointer<CChar>?
    curl_easy_getinfo_string(raw, CURLINFO_PRIMARY_IP, &text)
    return text.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Reports a response that sets a cookie.
  func noteCookie() { cookies?.noteChange() }

  var hasSentRequest: Bool { number(CURLINFO_REQUEST_SIZE) > 0 }

  /// Bytes of the body received so far, before unpacking.
  var receivedByteCount: Int64 {
    var count: curl_off_t = 0
    curl_easy_getinfo_offset(raw, CURLINFO_SIZE_DOWNLOAD_T, &count)
    return Int64(count)
  }

  /// Bytes of all response heads received so far.
  var headByteCount: Int64 { Int64(number(CURLINFO_HEADER_SIZE)) }

  func error(_ code: CURLcode) -> NetworkError {
    CurlFailure(
      code: code, osErrno: Int32(truncatingIfNeeded: number(CURLINFO_OS_ERRNO)),
      verifyResult: number(CURLINFO_SSL_VERIFYRESULT), requestSize: number(CURLINFO_REQUEST_SIZE)
    ).error
  }

  private func number(_ info: CURLINFO) -> Int {
    var value = 0
    curl_easy_getinfo_long(raw, info, &value)
    return value
  }

  private func setRequest(_ request: HttpRequest, _ address: WebAddress) throws(NetworkError) {
    try set(CURLOPT_URL, address.url.unredacted)
    if !request.userAgent.isEmpty {
      guard request.userAgent.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .badHeader }
      try set(CURLOPT_USERAGENT, request.userAgent)
    }
    let lines = try request.headerLines()
    if !lines.isEmpty { try set(CURLOPT_HTTPHEADER, lines) }
    if let own = request.ownCookies { try set(CURLOPT_COOKIE, own) }
    if let range = request.range { try set(CURLOPT_RANGE, range) }
    if let byteCount = request.receiveBuffer {
      // The pointer carries the number itself and points nowhere.
      try check(curl_easy_setopt_pointer(raw, CURLOPT_SOCKOPTDATA, UnsafeMutableRawPointer(bitPattern: byteCount)))
      try check(curl_easy_setopt_sockopt(raw, CURLOPT_SOCKOPTFUNCTION, setReceiveBuffer))
    }
    if let credentials = address.credentials ?? request.credentials {
      try set(CURLOPT_HTTPAUTH, CURLAUTH_BASIC_LONG)
      try set(CURLOPT_USERNAME, credentials.name)
      try set(CURLOPT_PASSWORD, credentials.password)
    }
  }

  /// Keeps libcurl's defaults for TCP_NODELAY, happy eyeballs, verification of certificate and host, and no
  /// `Accept-Encoding`. libcurl follows no redirects: `TransferRequest` does, after checking the target.
  private func setProtocol(connectMilliseconds: Int32, _ bufferByteCount: Int) throws(NetworkError) {
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    try set(CURLOPT_HTTP09_ALLOWED, 1)
    // Matches by prefix: "ICY 200 OK", "ICY 200", and errors, whose status is read from the line itself.
    try set(CURLOPT_HTTP200ALIASES, ["ICY "])
    // `ChunkDecoder` decodes the chunks.
    try set(CURLOPT_HTTP_TRANSFER_DECODING, 0)
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Each connection checks the certificate: a session from before its expiry, or before the clock was set, must not
    // pass. A server that refuses to resume a session would otherwise never be reached.
    try set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    try set(CURLOPT_BUFFERSIZE, bufferByteCount)
    try set(CURLOPT_DNS_CACHE_TIMEOUT, 60)
    try set(CURLOPT_CONNECTTIMEOUT_MS, Int(connectMilliseconds))
    // Otherwise cancelling would wait for a silent name server.
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_TCP_KEEPALIVE, 1)
    try set(CURLOPT_TCP_KEEPIDLE, 10)
    try set(CURLOPT_TCP_KEEPINTVL, 5)
  }

  /// Allows shared connections up to this age. A stream (nil) uses a new connection, which is closed afterwards.
  private func setSharing(_ mostMilliseconds: Int32?) throws(NetworkError) {
    guard let mostMilliseconds else {
      try set(CURLOPT_FRESH_CONNECT, 1)
      return try set(CURLOPT_FORBID_REUSE, 1)
    }
    try set(CURLOPT_MAXLIFETIME_CONN, max(1, Int(mostMilliseconds) / 1_000))
  }

  /// Requests gzip. libcurl must then decode the chunks, since it cannot unpack a chunked body.
  private func setGzip() throws(NetworkError) {
    try set(CURLOPT_HTTP_TRANSFER_DECODING, 1)
    try set(CURLOPT_ACCEPT_ENCODING, "gzip")
  }

  private func setLoose(_ hop: TransferRequest) throws(NetworkError) {
    try set(CURLOPT_URL, try LooseRequest(hop).url)
    try set(CURLOPT_PROTOCOLS_STR, "gopher,gophers")
  }

  private func setTrust(_ trust: TrustStore) throws(NetworkError) {
    try check(curl_easy_setopt_string(raw, CURLOPT_CAINFO, trust.file))
    try check(curl_easy_setopt_string(raw, CURLOPT_CAPATH, trust.directory))
  }

  private func set(_ option: CURLoption, _ value: Int) throws(NetworkError) {
    try check(curl_easy_setopt_long(raw, option, value))
  }

  private func set(_ option: CURLoption, _ value: String) throws(NetworkError) {
    try check(curl_easy_setopt_string(raw, option, value))
  }

  private func set(_ option: CURLoption, _ lines: [String]) throws(NetworkError) {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = curl_slist_append(list, line) else {
        curl_slist_free_all(list)
        throw .outOfMemory
      }
      list = longer
    }
    lists.append(list)
    try check(curl_easy_setopt_list(raw, option, list))
  }

  private func check(_ code: CURLcode) throws(NetworkError) {
    switch code {
    case CURLE_OK: return
    case CURLE_OUT_OF_MEMORY: throw .outOfMemory
    default: throw .internal(code: Int32(bitPattern: code.rawValue))
    }
  }
}

/// `CURLOPT_HEADERFUNCTION`: one line, with its line end.
private func receiveHeaderLine(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  // libcurl's gopher protocol makes up an empty line before the response.
  if transfer.isLoose { return count }
  return transfer.receive(headerLine: UnsafeRawBufferPointer(start: bytes, count: count)) ? count : refusal(of: count)
}

/// `CURLOPT_WRITEFUNCTION`: bytes of the body.
private func receiveBytes(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  let received = UnsafeRawBufferPointer(start: bytes, count: count)
  switch transfer.isLoose ? transfer.receive(unparsed: received) : transfer.receive(body: received) {
  case .taken: return count
  case .pause: return Int(CURL_WRITEFUNC_PAUSE)
  case nil: return refusal(of: count)
  }
}

/// `CURLOPT_OPENSOCKETFUNCTION`: checks the target before any byte is sent. After a refusal, libcurl tries the host's
/// next address.
private func openSocket(
  _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let context, let address, let place = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return -1 }
  let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  let (family, byteCount) = (address.pointee.family, Int(address.pointee.addrlen))
  let range = AddressRange(
    socketAddress: UnsafeRawPointer(address) + place, family: family, byteCount: byteCount)
  guard transfer.mayConnect(to: range) else { return -1 }
  // O_CLOEXEC and SOCK_CLOEXEC have the same value on Linux.
  return socket(family, address.pointee.socktype | O_CLOEXEC, address.pointee.protocol)
}

/// `CURLOPT_PREREQFUNCTION`: a shared connection may lead to an address that this request may not use.
private func mayRequest(
  _ context: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
  _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
  guard let context, let remote else { return CURL_PREREQFUNC_ABORT }
  let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  let range = AddressRange(literalSeenHere: String(cString: remote))
  return transfer.mayConnect(to: range) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// `CURLOPT_SOCKOPTFUNCTION`: sets the buffer before the connection, which settles the TCP window.
private func setReceiveBuffer(
  _ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype
) -> Int32 {
  var byteCount = Int32(truncatingIfNeeded: Int(bitPattern: context))
  setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &byteCount, socklen_t(MemoryLayout<Int32>.size))
  // On loopback and with jumbo frames, a segment may be as large as this buffer. If a segment does not fit into the
  // rest of the window, the sender waits for its timer of 200 ms.
  var segment: Int32 = 1_460
  setsockopt(socket, Int32(IPPROTO_TCP), TCP_MAXSEG, &segment, socklen_t(MemoryLayout<Int32>.size))
  return Int32(CURL_SOCKOPT_OK)
}

/// Returns a value that ends the transfer: any value other than `count`.
private func refusal(of count: Int) -> Int { count == 0 ? 1 : 0 }
