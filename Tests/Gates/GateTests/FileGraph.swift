/// The files of a target. An edge leads from a file to another one whose types it names.
struct FileGraph {
  private let names: [String]
  private let uses: [[Int]]

  /// Finds types by their names, without a type checker. A type counts if it is declared at the start of a line and
  /// visible outside its file; names that a file declares itself do not count.
  init(_ files: [SourceFile]) {
    names = files.map { String($0.place.drop { $0 != "/" }.dropFirst()) }
    var homes: [Substring: Int] = [:]
    for (number, file) in files.enumerated() {
      for name in file.visibleTypes where homes[name[...]] == nil { homes[name[...]] = number }
    }
    uses = files.enumerated().map { number, file in
      let own = file.declaredNames
      let used = Set(file.typeWords.compactMap { own.contains(String($0)) ? nil : homes[$0] })
      return used.subtracting([number]).sorted()
    }
  }

  /// Groups of two or more files that all reach each other, the largest first, by Tarjan's algorithm.
  var knots: [[String]] {
    var walk = Walk(uses)
    for start in names.indices { walk.visit(start) }
    return walk.knots.map { $0.map { names[$0] }.sorted() }.sorted { $0.count > $1.count }
  }

  private struct Walk {
    private let uses: [[Int]]
    private var indices: [Int: Int] = [:]
    private var lowest: [Int: Int] = [:]
    private var stack: [Int] = []
    private(set) var knots: [[Int]] = []

    init(_ uses: [[Int]]) { self.uses = uses }

    mutating func visit(_ node: Int) {
      guard indices[node] == nil else { return }
      let index = indices.count
      indices[node] = index
      lowest[node] = index
      stack.append(node)
      for other in uses[node] {
        visit(other)
        // A file that left the stack belongs to a finished group.
        guard stack.contains(other), let reached = lowest[other], let own = lowest[node] else { continue }
        lowest[node] = min(own, reached)
      }
      guard lowest[node] == index, let place = stack.firstIndex(of: node) else { return }
      let group = Array(stack[place...])
      stack.removeSubrange(place...)
      if group.count > 1 { knots.append(group) }
    }
  }
}

extension SourceFile {
  /// The types that a file declares outside of other declarations, unless they are private.
  fileprivate var visibleTypes: [String] {
    let modifiers = #"(?:(?:@\w+(?:\([^)\n]*\))?|(?!private|fileprivate)[a-z]+(?:\([a-z]+\))?)[ \t]+)*"#
    return matches("^" + modifiers + #"(?:class|struct|enum|protocol|actor)[ \t]+(\w+)"#).map(\.text)
  }

  /// All types and aliases that a file declares, nested ones too.
  fileprivate var declaredNames: Set<String> {
    Set(matches(#"\b(?:class|struct|enum|protocol|actor|typealias)[ \t]+(\w+)"#).map(\.text))
  }

  /// Capitalized words, except members. A single letter is a generic parameter.
  fileprivate var typeWords: Set<Substring> {
    var words: Set<Substring> = []
    let bytes = code.utf8
    var (at, previous) = (bytes.startIndex, UInt8(ascii: "\n"))
    while at < bytes.endIndex {
      var end = at
      while end < bytes.endIndex, Self.isPartOfWord(bytes[end]) { end = bytes.index(after: end) }
      guard end > at else {
        previous = bytes[at]
        at = bytes.index(after: at)
        continue
      }
      let word = code[at..<end]
      if previous != UInt8(ascii: "."), word.utf8.count > 1, word.first?.isUppercase == true { words.insert(word) }
      (at, previous) = (end, UInt8(ascii: "a"))
    }
    return words
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 128...: true
    default: false
    }
  }
}
