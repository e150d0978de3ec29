import Framing

/// What a request is answered.
struct WebReply {
  /// HTTP's number.
  var status = 200
  /// The media type of its body.
  var type = "application/json"
  var body: [UInt8] = []
  /// Further headers.
  var headers: [(name: String, value: String)] = []
  /// Where what follows comes from; nil: the body is all.
  var stream: EventStream?

  /// An object.
  init(_ json: JsonLine, status: Int = 200) { (self.status, body) = (status, Array(json.line.utf8)) }

  /// A refusal.
  init(_ fault: ApiFault) {
    self.init(fault.json, status: fault.status)
    if let seconds = fault.retryAfter { headers.append(("Retry-After", "\(seconds)")) }
    if let allow = fault.allow { headers.append(("Allow", allow)) }
  }

  /// Text of a type.
  init(text: String, type: String) { (self.type, body) = (type, Array(text.utf8)) }

  /// A file of the page; `known` is what the browser has of it.
  init(_ file: PageFile, known: String?) {
    type = file.type
    headers = [("ETag", file.tag)]
    if known == file.tag { status = 304 } else { body = file.bytes }
  }

  /// Events, without an end.
  init(_ stream: EventStream) { (type, self.stream) = ("text/event-stream", stream) }

  /// What stands in each answer. Files may be kept, but are asked about each time.
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
