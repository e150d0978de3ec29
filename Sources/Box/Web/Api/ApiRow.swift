/// An operation of the API.
struct ApiRow {
  enum Access {
    case open
    case session
  }

  /// Operations that do not need the radio's commands.
  enum Own {
    case session, login, logout, status, events, health, metrics, document, recording
  }

  struct Context {
    var isStopped: Bool
  }

  /// Creates the control-protocol commands of an operation.
  typealias Commands = @Sendable (ApiArguments, Context) throws(ApiFault) -> [RadioCommand]

  enum Work {
    case own(Own)
    case radio(Commands, AnswerShape)

    /// One command. A word such as "{volume}" stands for this argument, and "{}" for the variable part of the path.
    static func command(_ words: String..., shape: AnswerShape = .done) -> Work {
      .radio({ (given, _) throws(ApiFault) in [RadioCommand(words.map(given.filled))] }, shape)
    }
  }

  let method: HttpMethod
  /// The path with its variable part, such as "/api/presets/{number}/move".
  let path: String
  let access: Access
  let query: [ApiKey]
  let body: [ApiKey]
  let allowsAny: Bool
  let work: Work

  init(
    _ method: HttpMethod, _ path: String, access: Access = .session, query: [ApiKey] = [], body: [ApiKey] = [],
    allowsAny: Bool = false, _ work: Work
  ) {
    self.method = method
    self.path = path
    self.access = access
    self.query = query
    self.body = body
    self.allowsAny = allowsAny
    self.work = work
  }

  /// Returns the variable part of a path; "" if this row has no variable part, nil if the path does not match.
  func place(in path: String) -> String? {
    guard let open = self.path.firstIndex(of: "{"), let close = self.path.firstIndex(of: "}") else {
      return path == self.path ? "" : nil
    }
    let (head, tail) = (self.path[..<open], self.path[self.path.index(after: close)...])
    guard path.hasPrefix(head), path.hasSuffix(tail), path.utf8.count > head.utf8.count + tail.utf8.count else {
      return nil
    }
    let place = path.dropFirst(head.count).dropLast(tail.count)
    switch self.path[open...close] {
    case "{number}": return Self.isNumber(place) ? String(place) : nil
    case "{name}": return Self.name(place)
    default: return Self.isKey(place) ? String(place) : nil
    }
  }

  /// Returns true for a number of up to four digits.
  private static func isNumber(_ place: Substring) -> Bool {
    place.utf8.count <= 4 && place.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Returns true for the form of a setting's key.
  private static func isKey(_ place: Substring) -> Bool {
    place.utf8.count <= 60
      && place.utf8.allSatisfy { (0x61...0x7A).contains($0) || [UInt8(ascii: "."), UInt8(ascii: "_")].contains($0) }
  }

  /// Decodes the name of a recording; nil if malformed, too long, or with control characters. The radio checks more.
  private static func name(_ place: Substring) -> String? {
    guard !place.utf8.contains(UInt8(ascii: "/")), let name = WebHead.decoded(String(place)),
      (1...1_023).contains(name.utf8.count), name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { return nil }
    return name
  }
}
