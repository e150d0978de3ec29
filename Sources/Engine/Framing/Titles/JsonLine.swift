/// A JSON object on one line (RFC 8259), members in the order of addition. Escapes control and direction characters.
package struct JsonLine: ExpressibleByDictionaryLiteral, JsonMember {
  private var text = "{"

  package init() {}

  package init(dictionaryLiteral members: (String, any JsonMember)...) {
    for (name, value) in members { add(name, value) }
  }

  /// Appends a member; null if the value is nil.
  package mutating func add(_ name: String, _ value: some JsonMember) {
    text += (isEmpty ? "\"" : ",\"") + name + "\":" + value.json
  }

  /// Appends members.
  package mutating func add(_ members: KeyValuePairs<String, any JsonMember>) {
    for (name, value) in members { add(name, value) }
  }

  package var isEmpty: Bool { text == "{" }

  package var line: String { text + "}" }

  package var json: String { line }
}
