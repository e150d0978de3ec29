import Framing

struct ApiFault: Error, Equatable {
  let status: Int
  let code: String
  let sentence: String
  /// Seconds before the next attempt.
  var retryAfter: Int?
  var allow: String?

  init(_ status: Int, _ code: String, _ sentence: String, retryAfter: Int? = nil, allow: String? = nil) {
    self.status = status
    self.code = code
    self.sentence = sentence
    self.retryAfter = retryAfter
    self.allow = allow
  }

  var json: JsonLine { ["error": sentence, "code": code] }

  static let notFound = ApiFault(404, "notFound", "There is nothing at this address.")
  static let wrongHost = ApiFault(
    421, "host",
    "This is not a name of this box; use its own name or its address. A name with your network's domain works if the "
      + "box has the domain in the line \"search\" of /etc/resolv.conf.")
  static let wrongOrigin = ApiFault(403, "origin", "The request comes from another page.")
  static let noSession = ApiFault(401, "session", "Sign in first.")
  static let wrongToken = ApiFault(403, "token", "The header X-Bakelite-Token must contain the session's token.")
  static let readOnly = ApiFault(403, "readOnly", "This panel shows the radio and changes nothing.")
  static let wrongPassword = ApiFault(401, "password", "That is not the password.")
  static let notJson = ApiFault(415, "type", "The body has to be application/json.")
  static let unreadable = ApiFault(400, "body", "The body is no object of JSON.")
  static let bodyTooLarge = ApiFault(413, "size", "A body has 64 KiB at most.")
  static let headTooLarge = ApiFault(431, "size", "The head of a request has 8 KiB at most.")
  static let busy = ApiFault(429, "busy", "Another password is being checked.", retryAfter: 1)
  static let tooManyPages = ApiFault(503, "pages", "Too many pages are open; close one.", retryAfter: 5)
  static let noRadio = ApiFault(503, "absent", "No radio answers.", retryAfter: 2)
  static let silent = ApiFault(504, "silent", "The radio does not answer.")

  static func wrongMethod(_ allow: String) -> ApiFault {
    ApiFault(405, "method", "This address accepts \(allow).", allow: allow)
  }

  static func tooManyFailures(_ seconds: Int) -> ApiFault {
    ApiFault(
      429, "failures", "Too many passwords were wrong; try again in \((seconds + 59) / 60) minutes.",
      retryAfter: seconds)
  }

  static func argument(_ sentence: String) -> ApiFault { ApiFault(400, "argument", sentence) }

  /// Converts a refusal by the radio from MPD's error number.
  static func radio(_ code: Int, _ sentence: String) -> ApiFault {
    let words = [
      2: "argument", 4: "permission", 5: "unknown", 50: "notFound", 51: "full", 52: "system", 55: "notPlaying",
      56: "exists",
    ]
    return ApiFault(409, words[code] ?? "radio", sentence)
  }

  /// Converts a reply without a result.
  init(_ answer: RadioAnswer) {
    self =
      switch answer {
      case .refused(let code, let sentence): .radio(code, sentence)
      case .absent: .noRadio
      case .silent, .success: .silent
      }
  }
}
