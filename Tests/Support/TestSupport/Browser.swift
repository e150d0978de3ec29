import Foundation

/// An HTTP client with one connection for consecutive requests, and with access to each byte.
public final class Browser {
  /// A response.
  public struct Response {
    /// The status code.
    public var status = 0
    /// The headers with lower-case names.
    public var headers: [String: String] = [:]
    /// The body.
    public var body: [UInt8] = []

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
    /// The body as a JSON object; empty if it is invalid.
    public var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:] }
    /// The error code in the JSON body.
    public var code: String { json["code"] as? String ?? "" }
  }

  /// The server closed the connection or did not reply in time.
  public struct Disconnected: Error {
    /// Creates the error.
    public init() {}
  }

  private let port: Int
  /// The socket.
  public private(set) var socket: Int32
  private var received: [UInt8] = []
  /// Bytes of a chunked stream without the chunk framing (RFC 9112, section 7.1); nil if the response is not chunked.
  private var stream: [UInt8]?
  private let from: String
  /// The session cookie for all requests.
  public var cookie = ""
  /// The token for requests that change something.
  public var token = ""

  /// Connects to the server from a loopback address.
  public init(_ port: Int, from: String = "127.0.0.1") throws {
    (self.port, self.from) = (port, from)
    socket = try Self.connect(port, from)
  }

  deinit { close(socket) }

  private static func connect(_ port: Int, _ from: String) throws -> Int32 {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var own = sockaddr_in()
    own.sin_family = sa_family_t(AF_INET)
    inet_pton(AF_INET, from, &own.sin_addr)
    var other = own
    other.sin_port = in_port_t(port).bigEndian
    inet_pton(AF_INET, "127.0.0.1", &other.sin_addr)
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = [own, other].enumerated().reduce(Int32(0)) { code, end in
      withUnsafePointer(to: end.element) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          code != 0 ? code : end.offset == 0 ? bind(socket, $0, length) : Glibc.connect(socket, $0, length)
        }
      }
    }
    guard code == 0 else {
      close(socket)
      throw Disconnected()
    }
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    return socket
  }

  /// Replaces the connection.
  public func reconnect() throws {
    close(socket)
    (received, stream) = ([], nil)
    socket = try Self.connect(port, from)
  }

  /// Sends text unchanged. Returns false on an error.
  @discardableResult
  public func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Discards data until the server disconnects. Returns false after 60 s.
  public func waitForDisconnect() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let end = monotonicSeconds() + Self.patience
    while monotonicSeconds() < end {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count == 0 { return true }
      if count < 0 { return errno == ECONNRESET }
    }
    return false
  }

  /// Seconds before a connection with unrelated data counts as failed.
  private static let patience = 60.0

  /// Sends a request and reads the response. `receive`: further header lines.
  public func request(
    _ method: String, _ path: String, _ body: String? = nil, _ more: [String] = [], host: String? = nil
  ) throws -> Response {
    var lines = ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + more
    if !cookie.isEmpty { lines.append("Cookie: bakelite=\(cookie)") }
    if !token.isEmpty, method != "GET" { lines.append("X-Bakelite-Token: \(token)") }
    if let body {
      if !more.contains(where: { $0.hasPrefix("Content-Type") }) { lines.append("Content-Type: application/json") }
      lines.append("Content-Length: \(body.utf8.count)")
    } else if method != "GET", method != "HEAD" {
      lines.append("Content-Length: 0")
    }
    send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    return try readResponse(hasBody: method != "HEAD")
  }

  /// Signs in and stores cookie and token.
  @discardableResult
  public func signIn(_ password: String = "ABCD2345") throws -> Response {
    let answer = try request("POST", "/api/login", "{\"password\":\"\(password)\"}")
    let set = answer.headers["set-cookie"] ?? ""
    cookie = String(set.dropFirst("bakelite=".count).prefix { $0 != ";" })
    token = answer.json["token"] as? String ?? ""
    return answer
  }

  /// Reads a response.
  public func readResponse(hasBody: Bool = true) throws -> Response {
    var answer = Response()
    let first = try line()
    answer.status = Int(first.split(separator: " ").dropFirst().first ?? "") ?? 0
    while true {
      let text = try line()
      if text.isEmpty { break }
      let parts = text.split(separator: ":", maxSplits: 1)
      answer.headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    }
    stream = answer.headers["transfer-encoding"] == "chunked" ? [] : nil
    if hasBody, answer.status != 304, let count = answer.headers["content-length"].flatMap({ Int($0) }) {
      while received.count < count { try receive() }
      answer.body = Array(received[..<count])
      received.removeFirst(count)
    }
    return answer
  }

  /// Reads the next server-sent event. Comments are skipped.
  public func nextEvent() throws -> (name: String, data: String) {
    var (name, data) = ("", "")
    while true {
      let text = try streamLine()
      if text.hasPrefix("event: ") { name = String(text.dropFirst(7)) }
      if text.hasPrefix("data: ") { data = String(text.dropFirst(6)) }
      if text.isEmpty, !name.isEmpty { return (name, data) }
    }
  }

  /// Reads events up to the next event with this name, for at most 60 s.
  public func nextEvent(_ name: String) throws -> [String: Any] {
    let end = monotonicSeconds() + Self.patience
    while true {
      guard monotonicSeconds() < end else { throw Disconnected() }
      let event = try nextEvent()
      guard event.name == name else { continue }
      return (try? JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any]) ?? [:]
    }
  }

  private func streamLine() throws -> String {
    while true {
      if let end = stream?.firstIndex(of: UInt8(ascii: "\n")), let line = stream?[..<end] {
        stream?.removeFirst(end + 1)
        return String(decoding: line, as: UTF8.self)
      }
      guard let count = Int(try line(), radix: 16), count > 0 else { throw Disconnected() }
      while received.count < count + 2 { try receive() }
      stream?.append(contentsOf: received[..<count])
      received.removeFirst(count + 2)
    }
  }

  private func line() throws -> String {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        var line = received[..<end]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let text = String(decoding: line, as: UTF8.self)
        received.removeFirst(end + 1)
        return text
      }
      try receive()
    }
  }

  private func receive() throws {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else { throw Disconnected() }
    received += buffer[..<count]
  }
}
