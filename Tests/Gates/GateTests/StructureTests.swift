import Foundation
import Testing

/// The structure of the sources. `Tests/Tools/Structure/figures.py --list` prints each finding.
struct StructureTests {
  /// Maximum files of a knot: files of a target that all reach each other by the types that they name.
  private static let maxKnot = 4
  private static let maxCollaborators = 6
  private static let maxFilesInFolder = 25
  private static let maxTupleValues = 3

  private static let sources = Repository.swift(below: "Sources/")

  @Test("A knot has at most four files")
  func knots() {
    let knots = Dictionary(grouping: Self.sources, by: \.target).flatMap { FileGraph($0.value).knots }
    #expect(knots.filter { $0.count > Self.maxKnot } == [])
  }

  @Test("An init has at most six collaborators")
  func collaborators() {
    let found = Self.sources.flatMap(\.collaboratorCounts).filter { $0.count > Self.maxCollaborators }
    #expect(found.isEmpty, "\(found)")
  }

  @Test("A folder has at most 25 Swift files")
  func folders() {
    let counts = Dictionary(grouping: Self.sources, by: \.folder).mapValues(\.count)
    #expect(counts.filter { $0.value > Self.maxFilesInFolder } == [:])
  }

  @Test("An empty line precedes each function")
  func emptyLines() {
    let found = Self.sources.flatMap(\.crowdedFunctions)
    #expect(found.isEmpty, "\(found)")
  }

  @Test("An assigned tuple has at most three values")
  func tuples() {
    let found = Self.sources.flatMap(\.tupleAssignments).filter { $0.count > Self.maxTupleValues }
    #expect(found.isEmpty, "\(found)")
  }

  @Test("ARCHITECTURE.md lists the types on the path of a packet, at most 26, and of a title, at most 16")
  func walks() throws {
    let text = try String(contentsOf: Repository.root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
    let walks = Self.walks(text)
    #expect(walks.map(\.last) == ["Sink", "TitleLog"])
    #expect(zip(walks, [26, 16]).allSatisfy { $0.count <= $1 }, "\(walks.map(\.count))")
    let types = Set(
      Self.sources.flatMap { $0.matches(#"\b(?:class|struct|enum|protocol)[ \t]+\w+"#).map(\.text) }
        .compactMap { $0.split(whereSeparator: \.isWhitespace).last.map(String.init) })
    #expect(Set(walks.joined()).subtracting(types) == [])
  }

  /// The lists of three or more types with arrows.
  private static func walks(_ text: String) -> [[String]] {
    text.matches(of: /`\w+`(?:\s+→\s+`\w+`){2,}/).map { walk in
      walk.output.split(separator: "→").map { $0.filter { $0.isLetter || $0.isNumber } }
    }
  }

  @Test("A walk may continue on the next line")
  func plantedWalk() {
    #expect(
      Self.walks("A packet: `A` → `B` →\n`C`. Not `D` → `E`, but `F` → `G`\n → `H`.") == [
        ["A", "B", "C"], ["F", "G", "H"],
      ])
  }

  // MARK: The rules themselves

  private static func file(_ name: String, _ text: String) -> SourceFile {
    SourceFile(path: "Sources/E/T/\(name).swift", text: text)
  }

  @Test("Files that reach each other by their types are a knot")
  func plantedKnot() {
    let files = [
      Self.file("A", "struct Aa { let b: Bb }"), Self.file("B", "public final class Bb { let c = [Cc]() }"),
      Self.file("C", "struct Cc {\n  func f() { \"\\(Aa.self) /* */ \" }\n}"),
      Self.file("D", "struct Dd { let a: Aa }"),
      Self.file("E", "enum Ee { case f(Ff) }"), Self.file("F", "@frozen public indirect enum Ff { case e(Ee) }"),
      Self.file("G", "struct G { let h: H }"), Self.file("H", "struct H { let g: G }"),
    ]
    #expect(FileGraph(files).knots == [["A", "B", "C"], ["E", "F"]])
  }

  @Test(
    "A name in a text, a member, a private type and a file's own name reach no file",
    arguments: [
      ("// Second", false), ("let a = \"Second\"", false), ("let a = b.Second", false),
      ("let a = \"\\(Second.b)\"", true),
      ("let a = \"://\"; let b: Second", true), ("let a = \"\"\"\n  \"Second\n  \"\"\"", false),
      ("let a = \"\"\"\n  \"\n  \"\"\"; let b: Second?", true), ("struct Own { enum Second {} }\nlet a: Second", false),
      ("let a: Third", false), ("let a: Fourth", false), ("let a: [Second]", true),
    ])
  func usedName(_ text: String, _ isKnot: Bool) {
    let second = "struct Second { let a: First }\nprivate struct Third {}\nextension Fourth {}\n"
    let graph = FileGraph([Self.file("First", "struct First {}\n" + text), Self.file("Second", second)])
    #expect(graph.knots.isEmpty != isKnot)
  }

  @Test(
    "The collaborators of an init are counted",
    arguments: [
      ("class Aa { init(_ a: Bb, c: any Cc = Dd(e: 1, 2), f: [Ff], g: (Gg) -> Hh, i: inout Ii<Jj, Kk>?) {} }", [3]),
      ("class Aa {\n init() {}\n convenience init?(a: Bb) throws(Cc) {}\n}", [0, 1]),
      ("class Aa {}\nprotocol Bb {\n  init(c: Cc)\n}", []), ("struct Aa { init(b: Bb) {} }", []),
      ("class Aa {\n  init(\n    b: Bb,\n    c: Cc\n  ) {\n    self.init(d: Dd(e: 1))\n  }\n}", [2]),
    ] as [(String, [Int])])
  func plantedInit(_ text: String, _ counts: [Int]) {
    #expect(Self.file("A", text).collaboratorCounts.map(\.count) == counts)
  }

  @Test(
    "A function directly after another member is found",
    arguments: [
      ("func a() {}\nfunc b() {}\n", 1), ("func a() {}\n\nfunc b() {}\n", 0), ("func a() {}\n// b\nfunc b() {}\n", 1),
      ("func a() {}\n\n// b\nfunc b() {}\n", 0), ("var a: Int { 1 }\n@discardableResult\nfunc b() {}\n", 1),
      ("func a() {\n}\n  public static func b() {}\n  @objc(b) private func c() {}\n", 2),
      ("protocol P {\n  func a()\n  func b()\n  var c: Int { get }\n  func d()\n}\n", 1),
      ("struct A {\n  func a() {}\n}\n", 0), ("let a = 1\nfunc b() {}\n", 0), ("func a() {}  // }\nfunc b() {}\n", 1),
      ("func a() { b = { c } }\nlet d = 1\n", 0),
    ])
  func plantedFunction(_ text: String, _ count: Int) {
    #expect(Self.file("A", text).crowdedFunctions.count == count)
  }

  @Test(
    "The values of an assigned tuple are counted",
    arguments: [
      ("(a, b) = (1, 2)", [2]), ("  (a, self.b, c[0], d) = (\n1, f(2, 3), 4, 5)", [4]),
      ("(a,\n b,\n c, d) =\n e()", [4]), ("if x { (a, b, c, d) = (1, 2, 3, 4) }", [4]), ("(a, b) == (1, 2)", []),
      ("let (a, b, c, d) = f()", []), ("var (a, b, c, d) = (1, 2, 3, 4)", [4]), ("f(a, b, c, d)", []),
      ("(a ?? b).c = 1", []), ("x = (1, 2, 3, 4)", []),
    ] as [(String, [Int])])
  func plantedTuple(_ text: String, _ counts: [Int]) {
    #expect(Self.file("A", text).tupleAssignments.map(\.count) == counts)
  }
}
