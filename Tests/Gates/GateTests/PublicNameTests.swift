import Foundation
import Testing

/// A public name must be used outside its target.
struct PublicNameTests {
  /// Targets with a public API for other packages.
  private static let products: Set = ["Bakelite", "BakeliteAsync", "RadioEngine"]

  @Test("A public name is used by another target, or stands in another public declaration of its own")
  func areUsed() {
    let declarations = Repository.swift(below: "Sources/").filter { !Self.products.contains($0.target) }.flatMap {
      PublicName.all(in: $0)
    }
    #expect(PublicName.unused(declarations, in: Repository.swift(below: "")).map(\.description) == [])
  }

  @Test(
    "An unused name is seen; a used one, and a type of a signature or of a case, are not",
    arguments: [
      ("public func e() {}\n", ["e"]),
      ("public struct A {\n  public let b: Int\n  public let c: Int\n}\n", ["A", "c"]),
      ("public struct C { public var b: D }\npublic enum D {\n  case e\n}\nlet f = D.e\n", ["C"]),
      ("public enum B {\n  case e(D)\n}\npublic enum D {}\n", ["B"]),
      ("public struct B { public var b = D() }\npublic struct D {}\n", ["B"]),
      ("public struct D {}\nprivate func e(_ d: D) {}\n", ["D"]),
      ("public struct D { public init(_ e: F) {} }\npublic struct F {}\n", ["D"]),
    ])
  func rule(_ text: String, _ unused: [String]) {
    let file = SourceFile(path: "Sources/E/T/T.swift", text: text)
    let other = SourceFile(path: "Sources/E/U/U.swift", text: "let a = x.b  // e, A, C")
    // A test with access to internal names does not need public names.
    let test = SourceFile(path: "Tests/Unit/TTests/TTests.swift", text: "@testable import T\nlet g = e(A(), C(), c)\n")
    #expect(PublicName.unused(PublicName.all(in: file), in: [file, other, test]).map(\.name) == unused)
  }
}

/// A public name of a target.
private struct PublicName: CustomStringConvertible {
  let name: String
  let target: String
  let place: String
  let isType: Bool
  /// The identifiers in the declaration, without the body; all identifiers of a case or an initializer.
  let words: Set<String>

  var description: String { "\(place): \(name)" }

  private static let types: Set = ["struct", "class", "enum", "protocol", "typealias"]
  /// Modifiers before a name. The rest is matched by a look-ahead, because it may contain the next declaration.
  private static let modifiersPattern =
    #"\bpublic (?:(?:static|final|mutating|consuming|borrowing|indirect|unsafe|private\(set\)|package\(set\)) )*"#
  private static let namedPattern =
    #"(?=((?:var|let) `?\w+[^{\n]*|typealias \w+.*|(?:func|struct|class|enum|protocol) `?\w+[^{]*))"#
  /// Declarations without a name that refer to types.
  private static let unnamedPattern =
    #"(\bpublic (?:convenience |required )*(?:init|subscript)[^{]*|^[ \t]*(?:indirect )?case \w+\(.*$)"#

  static func all(in file: SourceFile) -> [PublicName] {
    let named = file.matches(modifiersPattern + namedPattern).compactMap { found -> PublicName? in
      let words = split(found.text)
      guard words.count > 1 else { return nil }
      return PublicName(
        name: words[1], target: file.target, place: "\(file.path):\(found.line)", isType: types.contains(words[0]),
        words: Set(words))
    }
    let unnamed = file.matches(unnamedPattern).map {
      PublicName(
        name: "", target: file.target, place: "\(file.path):\($0.line)", isType: false, words: Set(split($0.text)))
    }
    return named + unnamed
  }

  /// Returns the names that no other target uses.
  static func unused(_ names: [PublicName], in files: [SourceFile]) -> [PublicName] {
    // A file with @testable import counts as a file of the imported target.
    let groups = Dictionary(grouping: files) { file in
      Set(file.matches(#"@testable import (\w+)"#).map(\.text)).union([file.target])
    }.mapValues { $0.reduce(into: Set<String>()) { $0.formUnion(split($1.code)) } }
    var signed: [String: Int] = [:]
    for name in names { for word in name.words { signed[name.target + "." + word, default: 0] += 1 } }
    return names.filter { name in
      !name.name.isEmpty && !groups.contains { !$0.key.contains(name.target) && $0.value.contains(name.name) }
        && !(name.isType && signed[name.target + "." + name.name, default: 0] > 1)
    }
  }

  private static func split(_ code: String) -> [String] {
    code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }
}
