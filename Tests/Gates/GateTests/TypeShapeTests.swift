import Testing

struct TypeShapeTests {
  private static let shapes = TypeShape.all(in: Repository.swift(below: "Sources/"))

  @Test("A type has at most 400 lines of code, over all its files")
  func spans() {
    let found = Self.shapes.values.filter { $0.codeLineCount > 400 }
    #expect(found == [])
  }

  @Test("A class changes at least two thirds of its stored properties")
  func privacy() {
    let found = Self.shapes.values.filter {
      $0.isClass && $0.storedCount > 4 && 3 * $0.privateCount < 2 * $0.storedCount
    }
    #expect(found == [])
  }

  @Test("Code lines and properties are counted over declarations, extensions and files")
  func counts() {
    let first = SourceFile(
      path: "Sources/E/A/A.swift",
      text: """
        public final class B {
          let a = 1, b = { 2 }()

          /// A comment.
          private var c: Int
          private(set) var d = 0 { didSet { c = 1 } }
          var e: Int { c }
          static let f = 1
          struct G { var h: Int }
          func i() { let j = 1 }
        }
        """)
    let second = SourceFile(path: "Sources/E/A/A+B.swift", text: "extension B {\n  var k: Int {\n    1\n  }\n}\n")
    let shapes = TypeShape.all(in: [first, second])
    #expect(
      shapes["A.B"] == TypeShape(name: "A.B", isClass: true, codeLineCount: 14, storedCount: 3, privateCount: 2))
    #expect(shapes["A.B.G"] == TypeShape(name: "A.B.G", codeLineCount: 1, storedCount: 0, privateCount: 0))
    #expect(shapes.count == 2)
  }

  @Test(
    "An extension in another target counts for the type that it extends",
    arguments: [
      ("import A\nextension B {\n}\n", "A.B"), ("import A\nextension A.B {\n}\n", "A.B"),
      ("import A\nextension A {\n}\n", "A.A"),
      ("import A\nextension B.G {\n}\n", "A.B.G"), ("import A\nextension String {\n}\n", "D.String"),
      ("extension B {\n}\n", "D.B"), ("import A\nimport C\nextension B {\n}\n", "D.B"),
      ("import A\nstruct B {\n}\nextension B {\n}\n", "D.B"),
    ])
  func targets(_ text: String, _ home: String) {
    let files = [
      SourceFile(path: "Sources/E/A/A.swift", text: "struct A {\n}\nstruct B {\n  struct G {\n  }\n}\n"),
      SourceFile(path: "Sources/E/C/C.swift", text: "struct B {\n}\n"),
      SourceFile(path: "Sources/E/D/D.swift", text: text),
    ]
    let alone = TypeShape.all(in: Array(files.prefix(2)))
    let shapes = TypeShape.all(in: files)
    let grown = shapes.filter { $0.value.codeLineCount > alone[$0.key]?.codeLineCount ?? 0 }
    #expect(grown.keys.sorted() == [home])
  }
}
