import Foundation

/// A type over all its files: how many lines its declaration and its extensions span, and what it stores.
struct TypeShape: Equatable {
  /// The target and the type's name, such as "Network.Transfer"; a type within another has both names.
  let name: String
  var isClass = false
  var lineCount = 0
  /// Stored properties of an instance, and how many of them only the type itself changes.
  var storedCount = 0
  var privateCount = 0

  /// The shapes of all types in some files, by their names. An extension counts for the type that it extends, also
  /// where that is of another target.
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
        let home = home(of: name, in: file, declared)
        shapes[home, default: TypeShape(name: home)].add(shape)
      }
    }
    return shapes
  }

  /// What a type is called where it is declared: a file extends types of its own target, and of those that it imports.
  private static func home(of name: String, in file: SourceFile, _ declared: Set<String>) -> String {
    let type = name.dropFirst(file.target.count + 1)
    let root = type.prefix { $0 != "." }
    guard !declared.contains("\(file.target).\(root)") else { return name }
    // "Panel.Screen" says itself where it is declared.
    let named = type.split(separator: ".").prefix(2).joined(separator: ".")
    if file.imports.contains(String(root)), declared.contains(named) { return String(type) }
    let targets = file.imports.filter { declared.contains("\($0).\(root)") }
    return targets.count == 1 ? "\(targets.first ?? "").\(type)" : name
  }

  private mutating func add(_ other: TypeShape) {
    isClass = isClass || other.isClass
    lineCount += other.lineCount
    storedCount += other.storedCount
    privateCount += other.privateCount
  }
}

/// Finds the types of a file by counting braces.
private struct TypeScan {
  private struct Scope {
    let name: String
    let depth: Int
    let firstLine: Int
  }

  private let target: String
  private let lines: [Substring]
  private var depth = 0
  private var scopes: [Scope] = []
  /// A declaration whose brace has not come yet.
  private var pending: (name: String, line: Int)?
  /// The shapes by their names, each under the file's own target.
  private(set) var found: [String: TypeShape] = [:]
  /// The types that the file declares.
  private(set) var declared: Set<String> = []

  init(_ file: SourceFile) {
    target = file.target
    lines = file.code.split(separator: "\n", omittingEmptySubsequences: false)
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

  /// Notes a property, unless it is computed: then a brace follows that is no observer's and no value's.
  private mutating func count(_ line: Substring, _ number: Int, in scope: Scope) {
    let declaration = line.prefix { $0 != "=" && $0 != "{" }
    let isObserved = lines[number...].prefix(2).contains { $0.contains("didSet") || $0.contains("willSet") }
    guard !line.contains("static "), isObserved || line.dropFirst(declaration.count).first != "{" else { return }
    found[scope.name, default: TypeShape(name: "")].storedCount += 1
    if declaration.contains("private") { found[scope.name, default: TypeShape(name: "")].privateCount += 1 }
  }

  private mutating func open(_ number: Int) {
    if let declared = pending { scopes.append(Scope(name: declared.name, depth: depth, firstLine: declared.line)) }
    pending = nil
    depth += 1
  }

  private mutating func close(_ number: Int) {
    depth -= 1
    guard let scope = scopes.last, scope.depth == depth else { return }
    scopes.removeLast()
    found[scope.name, default: TypeShape(name: "")].lineCount += number - scope.firstLine + 1
  }
}
