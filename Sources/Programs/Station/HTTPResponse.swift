/// A response, after which the connection is closed.
struct HTTPResponse {
  private var head: String
  private var body = ""

  private init(_ status: String) {
    head = "HTTP/1.0 \(status)\r\nServer: Bakelite\r\nConnection: close\r\nCache-Control: no-cache\r\n"
  }

  init(_ status: String = "200 OK", contentType: String = "text/plain; charset=utf-8", body: String) {
    self.init(status)
    self.body = body
    add("Content-Type", contentType)
    add("Content-Length", String(body.utf8.count))
  }

  /// Creates the head of an endless stream, with ICY headers and without a length.
  init(streaming mount: Mount, options: StationOptions, url: String, metadata: Bool) {
    self.init("200 OK")
    let kilobits = String((mount.bitRate.bitsPerSecond + 500) / 1000)
    add("Content-Type", mount.contentType)
    add("icy-name", options.name ?? mount.stem)
    add("icy-genre", options.genre)
    add("icy-br", kilobits)
    add("icy-url", url)
    add("icy-pub", "0")
    if metadata { add("icy-metaint", String(options.metadataInterval.value)) }
  }

  static func badRequest(_ sentence: String) -> HTTPResponse {
    HTTPResponse("400 Bad Request", body: sentence + "\n")
  }

  static var notFound: HTTPResponse {
    HTTPResponse("404 Not Found", body: "No such page; the list of mounts is at /.\n")
  }

  static var methodNotAllowed: HTTPResponse {
    var response = HTTPResponse("405 Method Not Allowed", body: "A station answers GET and HEAD only.\n")
    response.add("Allow", "GET, HEAD")
    return response
  }

  static var full: HTTPResponse {
    var response = HTTPResponse(
      "503 Service Unavailable", body: "The station has its maximum number of listeners; try again later.\n")
    response.add("Retry-After", "10")
    return response
  }

  /// Returns the bytes to send. `headOnly`: true for a HEAD request.
  func bytes(headOnly: Bool = false) -> [UInt8] { Array((head + "\r\n" + (headOnly ? "" : body)).utf8) }

  private mutating func add(_ name: String, _ value: String) { head += "\(name): \(value.printable)\r\n" }
}
