import Foundation

enum Repository {
  static let root: URL = {
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
      folder.deleteLastPathComponent()
    }
    return folder
  }()

  static let files: [SourceFile] = ["Sources", "Tests"].flatMap { folder -> [SourceFile] in
    let start = root.appending(path: folder)
    let found = FileManager.default.enumerator(atPath: start.path)?.compactMap { $0 as? String } ?? []
    return found.filter { ["swift", "c", "h"].contains(($0 as NSString).pathExtension) }.sorted().compactMap { path in
      (try? String(contentsOf: start.appending(path: path), encoding: .utf8)).map {
        SourceFile(path: "\(folder)/\(path)", text: $0)
      }
    }
  }

  /// Returns the folder of a target below Sources; nil if it does not exist.
  static func folder(of target: String) -> URL? {
    let sources = root.appending(path: "Sources")
    let groups = (try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? []
    return groups.map { sources.appending(path: "\($0)/\(target)") }.first {
      FileManager.default.fileExists(atPath: $0.path)
    }
  }

  static func swift(below folder: String) -> [SourceFile] {
    files.filter { $0.path.hasPrefix(folder) && $0.path.hasSuffix(".swift") }
  }
}

/// A source file with its lines and its code.
struct SourceFile: CustomStringConvertible {
  let path: String
  let lines: [Substring]
  /// The text with comments and literals replaced by spaces, byte by byte.
  let code: String

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var blanker = Blanker(text)
    code = blanker.run()
  }

  var description: String { path }

  /// The target of the file: its folder in a group of Sources or Tests, such as Sources/Engine.
  var target: String { path.split(separator: "/").dropFirst(2).first.map(String.init) ?? "" }

  /// The target and the file's name, such as "Network/ConnectionPlan".
  var place: String { "\(target)/\(path.split(separator: "/").last?.prefix { $0 != "." } ?? "")" }

  /// Returns the matches of an ICU regular expression in the code, with ^ and $ at each line. The text is the last
  /// capture group, or the whole match if the group did not match.
  func matches(_ pattern: String) -> [(line: Int, offset: Int, text: String)] {
    guard let regex = try? NSRegularExpression(pattern: pattern, options: .anchorsMatchLines) else { return [] }
    let text = code as NSString
    return regex.matches(in: code, range: NSRange(location: 0, length: text.length)).map { match in
      let line = text.substring(to: match.range.location).utf8.count { $0 == UInt8(ascii: "\n") } + 1
      let caught = match.range(at: match.numberOfRanges - 1)
      return (line, match.range.location, text.substring(with: caught.location == NSNotFound ? match.range : caught))
    }
  }

  /// Returns the matches as "path:line: text".
  func matchDescriptions(of pattern: String) -> [String] {
    matches(pattern).map { "\(path):\($0.line): \(lines[$0.line - 1])" }
  }

  var imports: Set<String> {
    let kind = #"(?:(?:struct|class|enum|protocol|func)\s+)?"#
    return Set(matches(#"^[ \t]*(?:@\w+(?:\([^)]*\))?\s+|\w+ )*import\s+"# + kind + #"(\w+)"#).map(\.text))
  }
}

/// Replaces comments and string literals by spaces. Interpolated expressions stay.
private struct Blanker {
  private let text: [UInt8]
  private var at = 0
  private var out: [UInt8] = []

  /// The first bytes of comments and literals.
  private static let startBytes = Array("/\"#".utf8)

  init(_ text: String) { self.text = Array(text.utf8) }

  mutating func run() -> String {
    code(until: nil)
    return String(decoding: out, as: UTF8.self)
  }

  private func startsWith(_ word: StaticString) -> Bool {
    guard at + word.utf8CodeUnitCount <= text.count else { return false }
    return (0..<word.utf8CodeUnitCount).allSatisfy { text[at + $0] == word.utf8Start[$0] }
  }

  private mutating func skip(_ count: Int) {
    for _ in 0..<count where at < text.count {
      out.append(text[at] == UInt8(ascii: "\n") ? UInt8(ascii: "\n") : UInt8(ascii: " "))
      at += 1
    }
  }

  /// Copies code up to the closing bracket of an interpolation, or to the end.
  private mutating func code(until close: UInt8?) {
    var depth = 0
    while at < text.count {
      if !Self.startBytes.contains(text[at]), text[at] != close {
        if text[at] == UInt8(ascii: "(") { depth += 1 }
        if text[at] == UInt8(ascii: ")") { depth -= 1 }
        out.append(text[at])
        at += 1
      } else if startsWith("//") {
        while at < text.count, !startsWith("\n") { skip(1) }
      } else if startsWith("/*") {
        while at < text.count, !startsWith("*/") { skip(1) }
        skip(2)
      } else if startsWith("#\"") {
        skip(2)
        while at < text.count, !startsWith("\"#") { skip(1) }
        skip(2)
      } else if startsWith("\"\"\"") {
        literal("\"\"\"")
      } else if startsWith("\"") {
        literal("\"")
      } else {
        if text[at] == close, depth == 0 { return }
        if text[at] == close { depth -= 1 }
        out.append(text[at])
        at += 1
      }
    }
  }

  private mutating func literal(_ quote: StaticString) {
    skip(quote.utf8CodeUnitCount)
    while at < text.count, !startsWith(quote) {
      if startsWith("\\(") {
        skip(2)
        code(until: UInt8(ascii: ")"))
        skip(1)
      } else {
        skip(startsWith("\\") ? 2 : 1)
      }
    }
    skip(quote.utf8CodeUnitCount)
  }
}
