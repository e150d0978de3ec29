import Json

/// The arguments of a request: from path, query and body.
struct ApiArguments {
  /// The variable part of the path; "" without one.
  let place: String
  private(set) var values: [(name: String, value: ApiValue)] = []

  private static let limits: JsonValue.Limits = {
    var limits = JsonValue.Limits()
    (limits.depth, limits.values) = (4, 256)
    return limits
  }()

  init(place: String) { self.place = place }

  mutating func read(body: [UInt8], _ keys: [ApiKey], allowsAny: Bool) throws(ApiFault) {
    if !body.isEmpty {
      let object: JsonValue
      do throws(JsonError) { object = try JsonValue(body.span, limits: Self.limits) } catch { throw .unreadable }
      guard let members = object.members else { throw .unreadable }
      for (name, value) in members {
        // Null removes a key of a preset.
        guard let value = value.isNull && allowsAny ? .text("") : ApiValue(value) else {
          throw .argument("\(Self.shown(name)) has a value that is not accepted here.")
        }
        try add(name, value, keys, allowsAny: allowsAny)
      }
    }
    try checkNeeded(keys)
  }

  /// Parses the query. `keys`: the known keys, some of them with numbers as values.
  mutating func read(query: [(name: String, value: String)], _ keys: [ApiKey]) throws(ApiFault) {
    for (name, text) in query {
      let isNumber = keys.contains { if $0.name == name, case .whole = $0.kind { true } else { false } }
      let number = isNumber ? Int(text) : nil
      try add(name, number.map { .number(Double($0)) } ?? .text(text), keys, allowsAny: false)
    }
    try checkNeeded(keys)
  }

  private mutating func add(_ name: String, _ value: ApiValue, _ keys: [ApiKey], allowsAny: Bool) throws(ApiFault) {
    guard self[name] == nil else { throw .argument("\(Self.shown(name)) is given twice.") }
    if let key = keys.first(where: { $0.name == name }) {
      try key.check(value)
    } else {
      let isWord = name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (0x61...0x7A).contains($0) }
      guard allowsAny, isWord, !name.isEmpty, name.utf8.count <= 40 else {
        let known = keys.isEmpty ? "nothing is taken" : "known are \(keys.map(\.name).joined(separator: ", "))"
        throw .argument("There is no \(Self.shown(name)) here; \(known).")
      }
      try ApiKey(name, .any).check(value)
    }
    values.append((name, value))
  }

  /// Quotes a name from the request, without unprintable characters.
  private static func shown(_ name: String) -> String {
    let letters = name.unicodeScalars.prefix(40).filter { (0x20...0x7E).contains($0.value) }
    return "\"\(String(String.UnicodeScalarView(letters)))\""
  }

  private func checkNeeded(_ keys: [ApiKey]) throws(ApiFault) {
    for key in keys where key.isNeeded && self[key.name] == nil { throw .argument("\"\(key.name)\" is missing.") }
  }

  subscript(name: String) -> ApiValue? { values.first { $0.name == name }?.value }

  func word(_ name: String) -> String? { self[name]?.words.first }

  /// Returns the argument that a word such as "{volume}" stands for; "{}" is the place. Returns other words unchanged.
  func filled(_ word: String) -> String {
    guard word.hasPrefix("{") else { return word }
    let name = String(word.dropFirst().dropLast())
    return name.isEmpty ? place : self.word(name) ?? ""
  }

  func whole(_ name: String) -> Int? {
    guard case .number(let number)? = self[name] else { return nil }
    return Int(exactly: number)
  }

  func flag(_ name: String) -> Bool? {
    guard case .flag(let flag)? = self[name] else { return nil }
    return flag
  }
}
