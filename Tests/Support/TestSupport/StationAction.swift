/// An action of a scripted station on a connection.
public enum StationAction: Sendable {
  /// Sends bytes as fast as the client reads.
  case send([UInt8])
  /// Sends the first `burst` bytes at once, the others at `perSecond` bytes per second.
  case pace([UInt8], perSecond: Double, burst: Int)
  /// Waits for this many seconds.
  case wait(Double)
  /// Waits until the gate is open.
  case gate(Gate)
  /// Opens a gate after all earlier bytes were sent.
  case open(Gate)
  /// Creates the following actions when this action is due.
  case then(@Sendable () -> [StationAction])
  /// Waits until the client disconnects.
  case stall
  /// Waits for the next request on the same connection, and asks the script about it.
  case again
  /// Resets the connection (RST). Without this action, a script ends with FIN.
  case reset

  /// Sends text.
  public static func text(_ text: String) -> StationAction { .send(Array(text.utf8)) }

  /// Sends a response head.
  public static func head(_ status: String = "200 OK", _ headers: [String] = []) -> StationAction {
    .text("HTTP/1.1 \(status)\r\n" + (headers + ["Connection: close"]).map { $0 + "\r\n" }.joined() + "\r\n")
  }

  /// Sends the response head of a live MP3 station with further headers.
  public static func live(_ headers: String..., type: String = "audio/mpeg") -> StationAction {
    .head("200 OK", ["Content-Type: \(type)", "icy-name: Test FM"] + headers)
  }

  /// A complete file.
  public static func file(_ bytes: [UInt8]) -> [StationAction] { [.file(bytes.count), .send(bytes)] }

  /// Sends the response head of a file.
  public static func file(_ byteCount: Int, type: String = "audio/mpeg") -> StationAction {
    .head("200 OK", ["Content-Type: \(type)", "Content-Length: \(byteCount)", "Accept-Ranges: bytes"])
  }

  /// A complete response, such as an error or a playlist.
  public static func response(
    _ status: String, _ body: String = "", type: String = "text/plain", headers: [String] = []
  ) -> [StationAction] {
    [.head(status, ["Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] + headers), .text(body)]
  }

  /// A redirect.
  public static func redirect(_ location: String) -> [StationAction] {
    response("302 Found", headers: ["Location: \(location)"])
  }

  /// Changes a complete response so that the connection stays open for the next request.
  public static func keepingConnection(_ answer: [StationAction]) -> [StationAction] {
    guard case .send(let head)? = answer.first else { return answer }
    let text = String(decoding: head, as: UTF8.self).replacing("Connection: close", with: "Connection: keep-alive")
    return [.text(text)] + answer.dropFirst() + [.again]
  }

  /// A complete response compressed by gzip(1).
  public static func gzipped(_ body: [UInt8], type: String = "text/plain", headers: [String] = []) throws
    -> [StationAction]
  {
    let packed = try Compression.gzip(body)
    let told = ["Content-Type: \(type)", "Content-Encoding: gzip", "Content-Length: \(packed.count)"] + headers
    return [.head("200 OK", told), .send(packed)]
  }
}
