import Foundation

/// A place in a file, with the counted figure.
struct Finding: Equatable, CustomStringConvertible {
  let path: String
  let line: Int
  let count: Int

  var description: String { "\(path):\(line): \(count)" }
}

extension SourceFile {
  /// The folder of the file.
  var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

  /// The collaborators of each init with a body, in a file with a class: parameters whose type is named.
  var collaboratorCounts: [Finding] {
    guard !matches(#"\bclass[ \t]+\w"#).isEmpty else { return [] }
    let bytes = Array(code.utf8)
    let type = #":\s*(?:(?:@\w+|inout|borrowing|consuming|sending|any|some)\s+)*[A-Z]\w+"#
    return matches(#"\binit[?!]?(?=\()"#).compactMap { start in
      let (parameters, end) = Self.bracketed(bytes, from: start.offset + start.text.utf8.count)
      let rest = bytes[end...].prefix { !#"{}"#.utf8.contains($0) && $0 != UInt8(ascii: "\n") }
      guard rest.endIndex < bytes.count, bytes[rest.endIndex] == UInt8(ascii: "{") else { return nil }
      let count = parameters.count { $0.range(of: type, options: .regularExpression) != nil }
      return Finding(path: path, line: start.line, count: count)
    }
  }

  /// The functions directly after the end of another member.
  var crowdedFunctions: [Finding] {
    let code = code.split(separator: "\n", omittingEmptySubsequences: false)
    let modifiers = #"^\s*(?:(?:@\w+(?:\([^)]*\))?|[a-z]+(?:\([a-z]+\))?)\s+)*func\s"#
    let attributes = #"^\s*(?:@\w+(?:\([^)]*\))?\s*)+$"#
    return code.indices.compactMap { at in
      guard code[at].contains("func "), code[at].range(of: modifiers, options: .regularExpression) != nil else {
        return nil
      }
      // Comments and attributes belong to the function.
      let above = lines[..<at].indices.last { line in
        !lines[line].drop { $0 == " " }.hasPrefix("//")
          && code[line].range(of: attributes, options: .regularExpression) == nil
      }
      guard let above, code[above].last(where: { $0 != " " }) == "}" else { return nil }
      return Finding(path: path, line: at + 1, count: 1)
    }
  }

  /// The values of each assigned tuple. A new constant counts only if its value is a tuple in the code.
  var tupleAssignments: [Finding] {
    let bytes = Array(code.utf8)
    return matches(#"(?:^|[;{])[ \t]*(?:(?:let|var)[ \t]+)?(?=\()"#).compactMap { start in
      let whole = start.offset + start.text.utf8.count
      let (values, end) = Self.bracketed(bytes, from: whole)
      let rest = bytes[end...].filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }.prefix(2)
      guard rest.first == UInt8(ascii: "="), let next = rest.last, next != UInt8(ascii: "=") else { return nil }
      let isConstant = start.text.contains("let") || start.text.contains("var")
      guard !isConstant || next == UInt8(ascii: "(") else { return nil }
      return Finding(path: path, line: start.line, count: values.count)
    }
  }

  /// Splits the list in the brackets at `start` by its commas. Returns its parts, and the offset after the brackets.
  private static func bracketed(_ bytes: [UInt8], from start: Int) -> (parts: [String], end: Int) {
    var (parts, part, depth) = ([String](), [UInt8](), 0)
    for at in start..<bytes.count {
      let byte = bytes[at]
      let isArrow = byte == UInt8(ascii: ">") && bytes[at - 1] == UInt8(ascii: "-")
      if "([{<".utf8.contains(byte) { depth += 1 }
      if ")]}>".utf8.contains(byte), !isArrow { depth -= 1 }
      let isEnd = depth == 0
      if isEnd || (depth == 1 && byte == UInt8(ascii: ",")) {
        parts.append(String(decoding: part, as: UTF8.self))
        part = []
      } else if at > start {
        part.append(byte)
      }
      if isEnd { return (parts.filter { !$0.allSatisfy(\.isWhitespace) }, at + 1) }
    }
    return ([], bytes.count)
  }
}
