/// The value of a member in a `JsonLine`.
package protocol JsonMember {
  /// Appends a member with this value.
  func append(to line: inout JsonLine, as name: String)
}

extension String: JsonMember {
  package func append(to line: inout JsonLine, as name: String) { line.add(name, self) }
}

extension Int: JsonMember {
  package func append(to line: inout JsonLine, as name: String) { line.add(name, self) }
}

extension Double: JsonMember {
  package func append(to line: inout JsonLine, as name: String) { line.add(name, self) }
}

extension Bool: JsonMember {
  package func append(to line: inout JsonLine, as name: String) { line.add(name, self) }
}

extension Optional: JsonMember where Wrapped: JsonMember {
  package func append(to line: inout JsonLine, as name: String) {
    if let self { self.append(to: &line, as: name) } else { line.add(name, nil as String?) }
  }
}
