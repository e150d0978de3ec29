import Foundation
import Testing

/// Package.swift has the allowed imports of each target.
struct LayeringTests {
  struct Target: Equatable {
    let dependencies: Set<String>
    let path: String

    /// The number of the target's group in the order of `groups`; nil outside of Sources.
    var group: Int? { LayeringTests.groups.firstIndex { path.hasPrefix("Sources/\($0)/") } }
  }

  /// The groups of Sources. A target may import targets of its own group and of earlier groups.
  static let groups = ["C", "Engine", "Box", "Programs"]

  /// Targets without I/O: they may not import the C library.
  static let pure: Set = [
    "Units", "Alignment", "Framing", "Rendering", "Blocks", "Panel", "PanelWords", "Continuity", "Alarms",
  ]

  /// Programs that tests run without an import.
  static let programs: Set = ["bakelite", "bakelited", "bakelite-web", "SettingsScribe"]

  static let manifest = targets(
    in: (try? String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)) ?? "")

  /// The targets of Sources with Swift files.
  static let sources = Dictionary(grouping: Repository.swift(below: "Sources/"), by: \.target)

  /// Returns the targets in a package's manifest.
  static func targets(in text: String) -> [String: Target] {
    let targets = text.matches(
      of: /(?:Target|target|systemLibrary)\(\s*name: "([\w-]+)"(?:,\s*dependencies: \[([^\]]*)\])?,\s*path: "([^"]+)"/)
    return Dictionary(
      targets.map { target in
        let names = (target.2 ?? "").matches(of: /"(\w[\w-]*)"/).map { String($0.1) }
        let dependencies = Set(names).subtracting(["swift-argument-parser"])
        return (String(target.1), Target(dependencies: dependencies, path: String(target.3)))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the modules that files import without a dependency of their target. The C library is an import that pure
  /// targets may not have.
  static func strangers(in files: [SourceFile], _ dependencies: Set<String>, isPure: Bool) -> Set<String> {
    let imports = files.reduce(into: Set<String>()) { $0.formUnion($1.imports) }
    return imports.subtracting(dependencies).subtracting(isPure ? ["Synchronization"] : ["Synchronization", "Glibc"])
  }

  @Test("A target imports only its dependencies in Package.swift", arguments: sources.keys.sorted())
  func importsAreDeclared(_ name: String) throws {
    let target = try #require(Self.manifest[name], "Package.swift has no target \(name)")
    let files = try #require(Self.sources[name])
    #expect(files.allSatisfy { $0.path.hasPrefix(target.path + "/") })
    #expect(Self.strangers(in: files, target.dependencies, isPure: Self.pure.contains(name)) == [])
  }

  @Test("Each dependency of a target is imported by one of its files", arguments: manifest.keys.sorted())
  func dependenciesAreImported(_ name: String) throws {
    let target = try #require(Self.manifest[name])
    let files = Repository.swift(below: target.path + "/")
    let imported = files.reduce(into: Set<String>()) { $0.formUnion($1.imports) }
    #expect(target.dependencies.subtracting(imported).subtracting(Self.programs) == [])
  }

  @Test("The dependencies of a target are in its group or in earlier groups", arguments: sources.keys.sorted())
  func groupsStayBelow(_ name: String) throws {
    let target = try #require(Self.manifest[name])
    let group = try #require(target.group)
    let later = target.dependencies.filter { Self.manifest[$0].map { $0.group.map { $0 > group } ?? true } ?? false }
    #expect(later == [])
  }

  // MARK: The rules themselves

  @Test("The targets of a manifest are found")
  func plantedManifest() {
    let text = """
      .systemLibrary(name: "CA", path: "Sources/C/CA", providers: []), .target(name: "B", path: "Sources/Engine/B"),
      .executableTarget(
        name: "c-d",
        dependencies: [
          "B", "CA", .product(name: "E", package: "swift-argument-parser"),
        ], path: "Sources/Programs/c-d", swiftSettings: f),
      .testTarget(name: "T", dependencies: ["B"], path: "Tests/Unit/T"),
      """
    let targets = Self.targets(in: text)
    #expect(
      targets == [
        "CA": Target(dependencies: [], path: "Sources/C/CA"), "B": Target(dependencies: [], path: "Sources/Engine/B"),
        "c-d": Target(dependencies: ["B", "CA", "E"], path: "Sources/Programs/c-d"),
        "T": Target(dependencies: ["B"], path: "Tests/Unit/T"),
      ])
    #expect(targets["B"]?.group == 1 && targets["c-d"]?.group == 3 && targets["T"]?.group == nil)
  }

  @Test(
    "An import without a dependency is found",
    arguments: [
      ("import A", false, []), ("import B", false, ["B"]), ("@testable import struct B.C", false, ["B"]),
      ("import Glibc\nimport Synchronization", false, []), ("import Glibc", true, ["Glibc"]),
      ("import Observation", false, ["Observation"]), ("// import B", false, []),
    ] as [(String, Bool, Set<String>)])
  func plantedImport(_ text: String, _ isPure: Bool, _ strangers: Set<String>) {
    let file = SourceFile(path: "Sources/Engine/T/T.swift", text: text)
    #expect(Self.strangers(in: [file], ["A"], isPure: isPure) == strangers)
  }
}
