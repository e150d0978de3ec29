import Testing

/// A type is one thing: short enough to be read, and closed enough to be understood alone.
struct TypeShapeTests {
  private static let shapes = TypeShape.all(in: Repository.swift(below: "Sources/"))

  /// What is still to be taken apart. A name is removed with the type; none is added.
  private static let long: Set = ["Network.Receiver"]
  private static let open: Set = ["Network.Receiver", "Network.Reception", "Network.Referral"]

  @Test("A type spans 400 lines at most, over all its files")
  func spans() {
    let found = Self.shapes.values.filter { $0.lineCount > 400 }
    #expect(Set(found.map(\.name)) == Self.long, "\(found)")
  }

  @Test("A class changes at least two thirds of what it stores itself")
  func privacy() {
    let found = Self.shapes.values.filter {
      $0.isClass && $0.storedCount > 4 && 3 * $0.privateCount < 2 * $0.storedCount
    }
    #expect(Set(found.map(\.name)) == Self.open, "\(found)")
  }

  @Test("Spans and properties are counted over declarations, extensions and files")
  func counts() {
    let first = SourceFile(
      path: "Sources/A/A.swift",
      text: """
        public final class B {
          let a = 1, b = { 2 }()
          private var c: Int
          private(set) var d = 0 { didSet { c = 1 } }
          var e: Int { c }
          static let f = 1
          struct G { var h: Int }
          func i() { let j = 1 }
        }
        """)
    let second = SourceFile(path: "Sources/A/A+B.swift", text: "extension B {\n  var k: Int {\n    1\n  }\n}\n")
    let shapes = TypeShape.all(in: [first, second])
    #expect(
      shapes["A.B"] == TypeShape(name: "A.B", isClass: true, lineCount: 14, storedCount: 3, privateCount: 2))
    #expect(shapes["A.B.G"] == TypeShape(name: "A.B.G", lineCount: 1, storedCount: 0, privateCount: 0))
    #expect(shapes.count == 2)
  }
}
