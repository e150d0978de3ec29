import Foundation

/// The size of a type over all its files: code lines of its declaration and extensions, and stored properties.
struct TypeShape: Equatable {
  /// Target and name, such as "Network.Transfer". The name of a nested type includes its parent.
  let name: String
  var isClass = false
  /// Lines without empty lines and comments.
  var codeLineCount = 0
  /// Stored properties of an instance, and those that only the type itself can change.
  var storedCount = 0
  var privateCount = 0

  /// Returns all types by name. An extension counts for the extended type, even if that is in another target.
  static func all(in files: [SourceFile]) -> [String: TypeShape] {
    let scans = files.map { file in
      var scan = TypeScan(file)
      scan.run()
      return (file: file, scan: scan)
    }
    let declared = scans.reduce(into: Set<String>()) { $0.formUnion($1.scan.declared) }
    var shapes: [String: TypeShape] = [:]
    for (file, scan) in scans {
      for (name, shape) in scan.found {
        let home = qualifiedName(of: name, in: file, declared)
        shapes[home, default: TypeShape(name: home)].add(shape)
      }
    }
    return shapes
  }

  /// Returns the name of an extended type in its declaring target: the file's own target or an imported target.
  private static func qualifiedName(of name: String, in file: SourceFile, _ declared: Set<String>) -> String {
    let type = name.dropFirst(file.target.count + 1)
    let root = type.prefix { $0 != "." }
    guard !declared.contains("\(file.target).\(root)") else { return name }
    // A name like "Panel.Screen" contains its target.
    let named = type.split(separator: ".").prefix(2).joined(separator: ".")
    if file.imports.contains(String(root)), declared.contains(named) { return String(type) }
    let targets = file.imports.filter { declared.contains("\($0).\(root)") }
    return targets.count == 1 ? "\(targets.first ?? "").\(type)" : name
  }

  private mutating func add(_ other: TypeShape) {
    isClass = isClass || other.isClass
    codeLineCount += other.codeLineCount
    storedCount += other.storedCount
    privateCount += other.privateCount
  }
}

private struct TypeScan {
  private struct Scope {
    let name: String
    let depth: Int
    /// Number of code lines before the declaration.
    let codeLinesBefore: Int
  }

  private let target: String
  private let lines: [Substring]
  /// Number of code lines before each line.
  private let codeLinesBefore: [Int]
  private var depth = 0
  private var scopes: [Scope] = []
  /// A declaration before its opening brace.
  private var pending: (name: String, line: Int)?
  /// Types by name, each with the file's own target.
  private(set) var found: [String: TypeShape] = [:]
  private(set) var declared: Set<String> = []

  init(_ file: SourceFile) {
    target = file.target
    lines = file.code.split(separator: "\n", omittingEmptySubsequences: false)
    codeLinesBefore = lines.reduce(into: [0]) { counts, line in
      counts.append((counts.last ?? 0) + (line.allSatisfy { $0 == " " } ? 0 : 1))
    }
  }

  mutating func run() {
    for (number, line) in lines.enumerated() {
      look(at: line, number)
      for byte in line.utf8 {
        if byte == UInt8(ascii: "{") { open(number) }
        if byte == UInt8(ascii: "}") { close(number) }
      }
    }
  }

  private mutating func look(at line: Substring, _ number: Int) {
    var words = line.split { $0 == " " || $0 == "(" }.drop { Self.modifiers.contains($0) || $0.hasPrefix("@") }
    guard let keyword = words.popFirst(), let name = words.first else { return }
    if Self.keywords.contains(keyword) {
      let bare = String(name.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
      let isNested = keyword != "extension" && !scopes.isEmpty
      let whole = isNested ? "\(scopes[scopes.count - 1].name).\(bare)" : "\(target).\(bare)"
      pending = (whole, number)
      if keyword != "extension" { declared.insert(whole) }
      if keyword == "class" { found[whole, default: TypeShape(name: "")].isClass = true }
    } else if keyword == "var" || keyword == "let", let scope = scopes.last, depth == scope.depth + 1 {
      count(line, number, in: scope)
    }
  }

  private static let keywords: Set<Substring> = ["struct", "class", "enum", "extension", "protocol"]
  private static let modifiers: Set<Substring> = [
    "public", "private", "fileprivate", "internal", "final", "indirect", "unowned", "weak", "lazy", "nonisolated",
    "unsafe)", "set)",
  ]

  /// Counts a stored property. A property with a brace that belongs to neither an observer nor a value is computed.
  private mutating func count(_ line: Substring, _ number: Int, in scope: Scope) {
    let declaration = line.prefix { $0 != "=" && $0 != "{" }
    let isObserved = lines[number...].prefix(2).contains { $0.contains("didSet") || $0.contains("willSet") }
    guard !line.contains("static "), isObserved || line.dropFirst(declaration.count).first != "{" else { return }
    found[scope.name, default: TypeShape(name: "")].storedCount += 1
    if declaration.contains("private") { found[scope.name, default: TypeShape(name: "")].privateCount += 1 }
  }

  private mutating func open(_ number: Int) {
    if let declared = pending {
      scopes.append(Scope(name: declared.name, depth: depth, codeLinesBefore: codeLinesBefore[declared.line]))
    }
    pending = nil
    depth += 1
  }

  private mutating func close(_ number: Int) {
    depth -= 1
    guard let scope = scopes.last, scope.depth == depth else { return }
    scopes.removeLast()
    found[scope.name, default: TypeShape(name: "")].codeLineCount +=
      codeLinesBefore[number + 1] - scope.codeLinesBefore
  }
}
