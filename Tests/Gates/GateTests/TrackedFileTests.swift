import Foundation
import Testing

@Suite struct TrackedFileTests {
  @Test("what git keeps is source, small, and findable", .enabled(if: TrackedFile.all != nil, "this is no git clone"))
  func repository() {
    #expect(TrackedFile.faults(of: TrackedFile.all ?? []) == [])
  }

  @Test("no source file is without code")
  func noPlaceholder() {
    #expect(Repository.files.filter(\.isPlaceholder).map(\.path) == [])
  }

  // MARK: The rules themselves

  private static func files(_ paths: String...) -> [TrackedFile] { paths.map { TrackedFile(path: $0, byteCount: 1) } }

  static let cases: [(files: [TrackedFile], faults: [String])] = [
    (files("Sources/A/A.swift", "Tests/core/Core.swift", "Sources/A/core.c"), []),
    (files("core"), ["core: a core dump"]), (files("a/core.4711"), ["a/core.4711: a core dump"]),
    (files("vgcore.12"), ["vgcore.12: a core dump"]), (files("a/qemu_b_1.core"), ["a/qemu_b_1.core: a core dump"]),
    (files("a/.gitkeep", "b/placeholder.txt"), ["a/.gitkeep: a placeholder", "b/placeholder.txt: a placeholder"]),
    (files("a/.keep", "b/todo", "b/Todo.md"), ["a/.keep", "b/todo", "b/Todo.md"].map { "\($0): a placeholder" }),
    (files("a/Todo.swift", "b/keep.txt"), []),
    ([TrackedFile(path: "a/b.py", byteCount: 0)], ["a/b.py: an empty file"]),
    ([TrackedFile(path: "a", byteCount: 1_500_001)], ["a: 1500001 bytes, more than 1500000"]),
    ((0..<100).map { TrackedFile(path: "a/\($0)", byteCount: 1) }, []),
    ((0..<101).map { TrackedFile(path: "a/\($0)", byteCount: 1) }, ["a: 101 files in a folder, more than 100"]),
    ((0..<900).map { TrackedFile(path: "\($0 / 100)/\($0)", byteCount: 1) }, []),
  ]

  @Test("each rule sees what breaks it", arguments: cases)
  func rule(_ files: [TrackedFile], _ faults: [String]) {
    #expect(TrackedFile.faults(of: files) == faults)
  }

  @Test(
    "a placeholder has nothing but comments",
    arguments: [("// placeholder\n", true), ("/* a */\n\n", true), ("", true), ("let a = 1\n", false)])
  func placeholder(_ text: String, _ isPlaceholder: Bool) {
    #expect(SourceFile(path: "a", text: text).isPlaceholder == isPlaceholder)
  }
}

/// A file tracked by git.
struct TrackedFile: Sendable {
  let path: String
  let byteCount: Int

  private static let limits = (bytes: 1_500_000, inFolder: 100)

  /// All existing files tracked by git; nil without git or a clone.
  static let all: [TrackedFile]? = {
    let root = Repository.root.path
    guard let git = Tool("git"),
      let answer = try? git.run(["-c", "safe.directory=*", "-C", root, "ls-files", "-z"]), answer.status == 0
    else { return nil }
    return answer.text.split(separator: "\0").compactMap { path in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(root)/\(path)")
      return (attributes?[.size] as? Int).map { TrackedFile(path: String(path), byteCount: $0) }
    }
  }()

  /// Returns one sentence for each fault.
  static func faults(of files: [TrackedFile]) -> [String] {
    let folders = Dictionary(grouping: files) { $0.parts.dropLast().joined(separator: "/") }
    let crowded = folders.filter { !$0.key.isEmpty && $0.value.count > limits.inFolder }.sorted { $0.key < $1.key }
    return files.compactMap(\.fault)
      + crowded.map { "\($0.key): \($0.value.count) files in a folder, more than \(limits.inFolder)" }
  }

  private var parts: [Substring] { path.split(separator: "/") }

  private var fault: String? {
    let name = parts.last ?? ""
    if name.range(of: #"^(vg)?core(\.\d+)?$|\.core$"#, options: .regularExpression) != nil {
      return "\(path): a core dump"
    }
    let isPlan = name.range(of: #"^(?i:todo|fixme)(\.md|\.txt)?$"#, options: .regularExpression) != nil
    if isPlan || name == ".gitkeep" || name == ".keep" || name.lowercased().contains("placeholder") {
      return "\(path): a placeholder"
    }
    if byteCount == 0 { return "\(path): an empty file" }
    return byteCount > Self.limits.bytes ? "\(path): \(byteCount) bytes, more than \(Self.limits.bytes)" : nil
  }
}

extension SourceFile {
  var isPlaceholder: Bool { code.allSatisfy(\.isWhitespace) }
}
