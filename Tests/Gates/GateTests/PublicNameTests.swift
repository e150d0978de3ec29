import Foundation
import Testing

/// A public name is used outside of its target: else it promises what nobody asked for.
struct PublicNameTests {
  /// Targets that libraries outside of this package are offered as products.
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
    // A test that sees what is internal asks for nothing public.
    let test = SourceFile(path: "Tests/Unit/TTests/TTests.swift", text: "@testable import T\nlet g = e(A(), C(), c)\n")
    #expect(PublicName.unused(PublicName.all(in: file), in: [file, other, test]).map(\.name) == unused)
  }
}

/// A name that a target offers to others.
private struct PublicName: CustomStringConvertible {
  let name: String
  let target: String
  let place: String
  let isType: Bool
  /// The words of the declaration, up to its body; of a case, or an initializer, all of them.
  let words: Set<String>

  var description: String { "\(place): \(name)" }

  private static let types: Set = ["struct", "class", "enum", "protocol", "typealias"]
  /// What stands before a name. What follows is caught by a look ahead, since it may hold the next declaration.
  private static let offered =
    #"\bpublic (?:(?:static|final|mutating|consuming|borrowing|indirect|unsafe|private\(set\)|package\(set\)) )*"#
  private static let named =
    #"(?=((?:var|let) `?\w+[^{\n]*|typealias \w+.*|(?:func|struct|class|enum|protocol) `?\w+[^{]*))"#
  /// What has no name of its own, but names types.
  private static let unnamed =
    #"(\bpublic (?:convenience |required )*(?:init|subscript)[^{]*|^[ \t]*(?:indirect )?case \w+\(.*$)"#

  static func all(in file: SourceFile) -> [PublicName] {
    let named = file.finds(offered + named).compactMap { found -> PublicName? in
      let words = split(found.text)
      guard words.count > 1 else { return nil }
      return PublicName(
        name: words[1], target: file.target, place: "\(file.path):\(found.line)", isType: types.contains(words[0]),
        words: Set(words))
    }
    let unnamed = file.finds(unnamed).map {
      PublicName(
        name: "", target: file.target, place: "\(file.path):\($0.line)", isType: false, words: Set(split($0.text)))
    }
    return named + unnamed
  }

  /// Those that no file of another target names.
  static func unused(_ names: [PublicName], in files: [SourceFile]) -> [PublicName] {
    // Who imports a target as a test does uses it as the target itself does.
    let groups = Dictionary(grouping: files) { file in
      Set(file.finds(#"@testable import (\w+)"#).map(\.text)).union([file.target])
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
