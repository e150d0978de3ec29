/// One thing that a scripted station does on a connection.
public enum Act: Sendable {
  /// Sends bytes as fast as they are taken.
  case send([UInt8])
  /// Sends bytes at so many a second, the first `burst` at once.
  case pace([UInt8], perSecond: Double, burst: Int)
  /// Does nothing for so many seconds.
  case wait(Double)
  /// Does nothing until the gate is open.
  case gate(Gate)
  /// Opens a gate: all that stands before is sent.
  case open(Gate)
  /// Does what is fit when its turn comes.
  case then(@Sendable () -> [Act])
  /// Does nothing until the client leaves.
  case stall
  /// Waits for the next request on the same connection, which the script is asked about too.
  case again
  /// Breaks the connection (RST). At the end of a script it is closed (FIN).
  case reset

  /// Sends text.
  public static func text(_ text: String) -> Act { .send(Array(text.utf8)) }

  /// Sends the head of an answer.
  public static func head(_ status: String = "200 OK", _ headers: [String] = []) -> Act {
    .text("HTTP/1.1 \(status)\r\n" + (headers + ["Connection: close"]).map { $0 + "\r\n" }.joined() + "\r\n")
  }

  /// The head of a live MP3 station with further headers.
  public static func live(_ headers: String..., type: String = "audio/mpeg") -> Act {
    .head("200 OK", ["Content-Type: \(type)", "icy-name: Test FM"] + headers)
  }

  /// A live MP3 station that sends a clip at once and then nothing more.
  public static func onAir(_ clip: Clip) -> [Act] { [.live(), .send(clip.bytes), .stall] }

  /// Sends a clip at `speed` times the pace of its sound, the first so many seconds of it at once.
  public static func sound(_ clip: Clip, speed: Double = 1, burst: Double = 0) -> Act {
    .pace(clip.bytes, perSecond: clip.byteRate * speed, burst: Int(burst * clip.byteRate))
  }

  /// A live MP3 station that sends a clip at the pace of its sound, the first so many seconds of it at once, and then
  /// nothing more.
  public static func onAir(_ clip: Clip, burst: Double) -> [Act] { [.live(), .sound(clip, burst: burst), .stall] }

  /// A whole file.
  public static func file(_ bytes: [UInt8]) -> [Act] { [.file(bytes.count), .send(bytes)] }

  /// The head of a file.
  public static func file(_ byteCount: Int, type: String = "audio/mpeg") -> Act {
    .head("200 OK", ["Content-Type: \(type)", "Content-Length: \(byteCount)", "Accept-Ranges: bytes"])
  }

  /// A whole answer, such as a refusal or a playlist.
  public static func answer(
    _ status: String, _ body: String = "", type: String = "text/plain", headers: [String] = []
  ) -> [Act] {
    [.head(status, ["Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] + headers), .text(body)]
  }

  /// A redirect.
  public static func redirect(_ location: String) -> [Act] { answer("302 Found", headers: ["Location: \(location)"]) }

  /// The same whole answer, by a connection that stays open.
  public static func kept(_ answer: [Act]) -> [Act] {
    guard case .send(let head)? = answer.first else { return answer }
    let text = String(decoding: head, as: UTF8.self).replacing("Connection: close", with: "Connection: keep-alive")
    return [.text(text)] + answer.dropFirst() + [.again]
  }

  /// A whole answer that is packed by gzip(1).
  public static func gzipped(_ body: [UInt8], type: String = "text/plain", headers: [String] = []) throws -> [Act] {
    let packed = try Packed.gzip(body)
    let told = ["Content-Type: \(type)", "Content-Encoding: gzip", "Content-Length: \(packed.count)"] + headers
    return [.head("200 OK", told), .send(packed)]
  }
}
