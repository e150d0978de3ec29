import Framing

struct WebReply {
  var status = 200
  var type = "application/json"
  var body: [UInt8] = []
  var headers: [(name: String, value: String)] = []
  /// The event stream that is the body; nil for `body`.
  var stream: EventStream?
  /// The part of a file that is the body; nil for `body`.
  var download: FileDownload?

  init(_ json: JsonLine, status: Int = 200) { (self.status, body) = (status, Array(json.line.utf8)) }

  init(_ fault: ApiFault) {
    self.init(fault.json, status: fault.status)
    if let seconds = fault.retryAfter { headers.append(("Retry-After", "\(seconds)")) }
    if let allow = fault.allow { headers.append(("Allow", allow)) }
  }

  init(text: String, type: String) { (self.type, body) = (type, Array(text.utf8)) }

  /// Creates a response with a file of the page, compressed if the browser accepts that.
  init(_ file: PageFile, for head: WebHead) {
    let packed = AcceptedCodings(head["accept-encoding"]).allowsGzip ? file.packed : nil
    let form = packed ?? file.plain
    type = file.type
    headers = [("ETag", form.tag)]
    if file.packed != nil { headers.append(("Vary", "Accept-Encoding")) }
    guard head["if-none-match"] != form.tag else {
      status = 304
      return
    }
    body = form.bytes
    if packed != nil { headers.append(("Content-Encoding", "gzip")) }
  }

  init(_ stream: EventStream) { (type, self.stream) = ("text/event-stream", stream) }

  static let usualHeaders = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
  ]
}
