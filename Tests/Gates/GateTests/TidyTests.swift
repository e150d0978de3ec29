import Foundation
import Testing

/// The rules of the sources that a machine can hold.
struct TidyTests {
  static let all = Repository.files
  static let swift = Repository.swift(below: "")
  static let sources = Repository.swift(below: "Sources/")

  @Test func theRulesSeeTheSources() {
    #expect(Self.sources.count > 50)
    #expect(Self.swift.contains { $0.path.hasSuffix("TidyTests.swift") })
  }

  @Test func linesHave120ColumnsAtMost() {
    let long = Self.all.flatMap { file in
      file.lines.indices.filter { file.lines[$0].utf8.count > 120 && file.lines[$0].count > 120 }.map {
        "\(file.path):\($0 + 1)"
      }
    }
    #expect(long == [])
  }

  @Test func functionsFitAScreen() {
    let long = Self.swift.flatMap { file in
      file.functions.filter { $0.lineCount > 60 }.map { "\(file.path):\($0.line): \($0.lineCount) lines" }
    }
    #expect(long == [])
  }

  @Test("No source has postponed work, force unwraps or debug output", arguments: Ban.all)
  func nothingForbidden(_ ban: Ban) {
    let files = (ban.isForTestsToo ? Self.swift : Self.sources).filter { !ban.exempt.contains($0.target) }
    #expect(files.flatMap { $0.matchDescriptions(of: ban.pattern) } == [])
  }

  @Test func nothingIsPutOff() {
    let marks = ["FIX" + "ME", "TO" + "DO", "XX" + "X"]
    let found = Self.all.flatMap { file in
      file.lines.filter { line in marks.contains { line.range(of: $0) != nil } }.map { "\(file.path): \($0)" }
    }
    #expect(found == [])
  }

  @Test func theEngineNeedsNoFoundation() {
    let heavy: Set = ["Foundation", "FoundationEssentials", "Dispatch", "_Concurrency", "_StringProcessing"]
    let found = Self.sources.filter { $0.target != "bakelite" && !heavy.isDisjoint(with: $0.imports) }
    #expect(found.map(\.path) == [])
  }

  @Test("Only transfers, station files and address comparisons read unredacted addresses")
  func wholeAddresses() {
    let allowed: Set = [
      "Units/StationAddress", "Http/AddressOptions", "Http/WebAddress", "Http/EasyHandle", "Network/FileList",
      "Control/HiddenStations",
      "Control/SongFilter", "Control/DirectorySong", "Settings/StationText", "Settings/CheckedText",
      "Settings/PresetRecord", "Directory/DirectoryBuilder", "Directory/SpooledStation",
      "Directory/StationDirectory+Lists",
      "bakelite/StationsAddCommand", "bakelite/StationsExportCommand", "bakelite/StationsImportCommand",
      "bakelite/FindChoice", "bakelite/FindListing",
      "Box/PresetCatalog", "Settings/StationSettings+Files",
    ]
    let found = Self.sources.filter { !$0.matchDescriptions(of: #"\bunredacted\b"#).isEmpty }.map(\.place)
    #expect(Set(found) == allowed)
  }

  @Test("Only the engine and the decode thread read the status board")
  func boardHasOneDoor() {
    let allowed: Set = ["Engine", "DecodeThread", "DecodeLoop", "DriftCompensator", "LoopMeter", "PrebufferGate"]
    let found = Self.sources.filter {
      $0.target == "RadioEngine" && !$0.matchDescriptions(of: #"\bboard\b|\bStatusBoard\b"#).isEmpty
    }
    #expect(Set(found.map(\.place)) == Set(allowed.map { "RadioEngine/\($0)" }))
  }

  @Test("Only System calls the kernel for time, threads, flags and error texts")
  func systemIsAsked() {
    let calls =
      #"\bbk_(monotonic|sleep|wall|slept|event|park|thread|error_words)\w*|\bstrerror|\bclock_gettime|\btime\(nil\)"#
      + #"|\bpthread_create"#
    let found = Self.sources.filter { $0.target != "System" && !$0.matchDescriptions(of: calls).isEmpty }
    #expect(found.map(\.path) == [])
  }

  @Test("A clock is given: few doors take the machine's own where they are given none")
  func clockIsGiven() {
    let allowed: Set = [
      "RadioEngine/Radio", "Http/HttpEngine", "Control/ControlServer", "Control/ControlContext", "Box/Appliance",
      "Station/Descriptor", "PanelLinux/EvdevDevice", "PanelLinux/DisplayPort", "bakelite/DoctorClock",
      "bakelite/FindCommand", "bakelite/FindUpdate", "bakelite/Interrupts", "bakelite/PlaySession",
      "BakeliteAsync/AsyncRadio",
    ]
    let found = Self.sources.filter {
      !$0.matchDescriptions(of: #"\bClock\s*=\s*\.machine\b|\bClock\.machine\b"#).isEmpty
    }
    #expect(Set(found.map(\.place)) == allowed)
  }

  // MARK: The rules themselves

  @Test(
    "A ban sees what it bans, and nothing else",
    arguments: [
      ("force unwrap", "let a = b!", true), ("force unwrap", "c(d!.e)", true), ("force unwrap", "f()!", true),
      ("force unwrap", "let t: String! = nil", true), ("force unwrap", "if a != b { !c }", false),
      ("force unwrap", "print(\"Stop!\")  // now!", false), ("force unwrap", "x = y as! Z", false),
      ("force try", "let a = try! b()", true), ("force try", "let a = try? b()", false),
      ("force cast", "a as! B", true), ("force cast", "a as? B", false),
      ("public import", "public import Units", true), ("public import", "import Units", false),
      ("public import", "@_exported import Units", true),
      ("moment", "let a = MonotonicTime(seconds: 3)", true), ("moment", "let a = Duration(seconds: 3)", false),
      ("moment", "MonotonicTime(nanoseconds: 3)", false),
      ("silent reason", "preconditionFailure(\"a: \\(error)\")", true),
      ("silent reason", "precondition(a, \"a \\(b)\")", true), ("silent reason", "precondition(a(b, c), \"a\")", false),
      ("silent reason", "fatalError(\"a: \\(error)\")", false),
      ("mutex", "let a = Mutex(0)", true), ("mutex", "let a: Mutex<Int>", true), ("mutex", "Locked(0)", false),
      ("concurrency", "func a() async {", true), ("concurrency", "actor A {", true), ("concurrency", "Task { }", true),
      ("concurrency", "await(true)", false), ("concurrency", "let task = 1", false),
    ])
  func banSees(_ name: String, _ text: String, _ isBroken: Bool) throws {
    let ban = try #require(Ban.all.first { $0.name == name })
    #expect(SourceFile(path: "a", text: text).matchDescriptions(of: ban.pattern).isEmpty != isBroken)
  }

  @Test func functionsAreMeasured() {
    let text = """
      struct A {
        func b(_ c: String = "{") {
          if d { e("\\(f { g })") }
        }
        init() {}
      }
      """
    #expect(
      SourceFile(path: "a", text: text).functions == [Function(line: 2, lineCount: 3), Function(line: 5, lineCount: 1)])
  }
}

/// Something that no line of code may say.
struct Ban: Sendable, CustomTestStringConvertible {
  let name: String
  let isForTestsToo: Bool
  let pattern: String
  /// Targets whose purpose it is.
  var exempt: Set<String> = []
  var testDescription: String { name }

  static let all = [
    Ban(name: "force unwrap", isForTestsToo: false, pattern: #"(?<!\b(?:as|try))(?<=[\w)\]}>"])!(?!=)"#),
    Ban(name: "force try", isForTestsToo: true, pattern: #"\btry!"#),
    Ban(name: "force cast", isForTestsToo: true, pattern: #"\bas!"#),
    // The libraries pass on what their parts offer.
    Ban(
      name: "public import", isForTestsToo: true, pattern: #"(?:\bpublic|@_exported)\s+import\b"#,
      exempt: ["Bakelite", "BakeliteAsync"]),
    Ban(name: "moment", isForTestsToo: false, pattern: #"\bMonotonicTime\((?:milli)?seconds:"#),
    // Optimized builds drop a precondition's text, so runtime details need fatalError.
    Ban(
      name: "silent reason", isForTestsToo: false,
      pattern: #"\bpreconditionFailure\([ \n]{2,}[^\s),]|\bprecondition\([^\n]*,[ \n]{3,}[^\s),]"#),
    // ThreadSanitizer does not see the kernel pass it on; `Locked` of System is seen.
    Ban(name: "mutex", isForTestsToo: false, pattern: #"\bMutex\s*[<(]"#),
    Ban(
      name: "concurrency", isForTestsToo: false, pattern: #"\basync\b|\bactor\s+\w|\bTask\s*[.{(]|\bawait\s"#,
      exempt: ["BakeliteAsync"]),
  ]
}

/// A function, from the line of its name to its closing brace.
struct Function: Equatable {
  let line: Int
  let lineCount: Int
}

extension SourceFile {
  /// Functions and initializers that have a body, found by counting braces.
  var functions: [Function] {
    matches(#"\bfunc\s|\binit[?(<]|\bdeinit\b"#).compactMap { start in
      var depth = 0
      var line = start.line
      for byte in code.utf8.dropFirst(start.offset) {
        if byte == UInt8(ascii: "\n") { line += 1 }
        if byte == UInt8(ascii: "{") { depth += 1 }
        guard byte == UInt8(ascii: "}") else { continue }
        depth -= 1
        // A protocol's requirement has no body: the first brace is the one that closes the protocol.
        if depth <= 0 { return depth == 0 ? Function(line: start.line, lineCount: line - start.line + 1) : nil }
      }
      return nil
    }
  }
}
