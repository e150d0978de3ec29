import Foundation
import Testing

struct LayeringTests {
  /// Allowed imports of each target, besides the C library and Synchronization.
  static let layers: [String: Set<String>] = [
    "Units": [],
    "System": ["Units", "CLinux"],
    "Blocks": ["System", "Units", "CLinux"],
    "Framing": ["Blocks", "Units"],
    "Listings": ["Framing", "Units", "CExpat"],
    "Http": ["System", "Units", "CCurl", "CLinux"],
    "Network": ["Framing", "Listings", "Http", "Blocks", "System", "Units", "CCrypto", "CLinux"],
    "Decoding": ["Blocks", "Units", "CMad", "CMpg123", "CFaad", "CFlac", "CVorbis", "COpus", "CSpeexDSP"],
    "Rendering": ["Blocks", "Units", "CLinux"],
    "AudioOutput": ["Rendering", "Blocks", "System", "Units", "CALSA", "CLinux"],
    "Metering": ["Units", "CKissFFT"],
    "Recordings": ["Framing", "Blocks", "System", "Units", "CLinux"],
    "RadioEngine": [
      "Recordings", "AudioOutput", "Metering", "Rendering", "Decoding", "Network", "Http", "Framing", "Blocks",
      "System", "Units", "CLinux",
    ],
    "Bakelite": [
      "RadioEngine", "Recordings", "AudioOutput", "Metering", "Rendering", "Network", "Http", "Framing", "Blocks",
      "System", "Units",
    ],
    "BakeliteAsync": ["Bakelite", "System"],
    "Control": [
      "RadioEngine", "Recordings", "Metering", "Network", "Http", "Framing", "Directory", "Rooms", "System", "Units",
      "CLinux",
    ],
    "PanelWords": [],
    "Settings": ["PanelWords", "System", "Units", "CToml", "CLinux"],
    "Directory": ["Listings", "System", "Units"],
    "Json": ["Framing", "CJson"],
    "Rooms": ["Framing", "Json", "System", "Units", "CLinux"],
    "Web": ["Json", "Framing", "System", "Units", "CMicrohttpd", "CCrypt", "CLinux"],
    "DirectoryClient": ["Directory", "Http", "System", "Units", "CResolv"],
    "HomeAssistant": [
      "RadioEngine", "Network", "Http", "Framing", "System", "Units", "Settings", "CMosquitto", "CCrypto", "CLinux",
    ],
    "Panel": ["PanelWords", "Units"],
    "PanelLinux": ["Panel", "System", "Units", "CGpiod", "CLinux"],
    "Station": ["Framing", "Blocks", "System", "Units"],
    "Box": [
      "Control", "RadioEngine", "Recordings", "Network", "Http", "AudioOutput", "Framing", "System", "Units",
      "Settings", "Directory", "HomeAssistant", "Rooms", "Panel", "PanelWords", "PanelLinux", "CLinux",
    ],
    "bakelited": ["Box"],
    "bakelite-web": ["Web"],
    "bakelite": [
      "Control", "RadioEngine", "Recordings", "Network", "Http", "Decoding", "AudioOutput", "Framing", "Blocks",
      "System", "Units", "Station", "CLinux", "Settings", "Directory", "DirectoryClient", "HomeAssistant", "Listings",
      "Panel",
      "PanelWords", "PanelLinux", "Rooms", "Json", "ArgumentParser",
    ],
  ]

  /// Targets without I/O: they may not import the C library.
  static let pure: Set = ["Units", "Framing", "Rendering", "Blocks", "Panel", "PanelWords"]

  static let sources = Repository.swift(below: "Sources/")

  @Test func everyTargetIsInTheTable() {
    #expect(Set(Self.sources.map(\.target)) == Set(Self.layers.keys))
  }

  @Test("A target imports only targets below it", arguments: layers.keys.sorted())
  func importsStayBelow(_ name: String) throws {
    let system: Set = Self.pure.contains(name) ? ["Synchronization"] : ["Synchronization", "Glibc"]
    let allowed = try #require(Self.layers[name]).union(system)
    let files = Self.sources.filter { $0.target == name }
    for file in files { #expect(file.imports.subtracting(allowed) == [], "\(file)") }
  }

  /// The targets in Package.swift with their dependencies and folders.
  static let manifest: [String: (dependencies: Set<String>, path: String)] = {
    let text = (try? String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)) ?? ""
    let targets = text.matches(
      of: /arget\(\s*name: "([\w-]+)"(?:,\s*dependencies: \[([^\]]*)\])?,\s*path: "([^"]+)"/)
    return Dictionary(
      targets.map { target in
        let names = (target.2 ?? "").matches(of: /"(\w[\w-]*)"/).map { String($0.1) }
        let dependencies = Set(names).subtracting(["swift-argument-parser"])
        return (String(target.1), (dependencies: dependencies, path: String(target.3)))
      }, uniquingKeysWith: { first, _ in first })
  }()

  @Test("Package.swift says the same", arguments: layers.keys.sorted())
  func manifestAgrees(_ name: String) throws {
    let target = try #require(Self.manifest[name], "Package.swift has the target \(name)")
    #expect(target.dependencies == Self.layers[name])
  }

  /// Programs that tests run without an import.
  static let programs: Set = ["bakelite", "bakelited", "bakelite-web", "SettingsScribe"]

  @Test("Each dependency of a target is imported by one of its files", arguments: manifest.keys.sorted())
  func dependenciesAreImported(_ name: String) throws {
    let target = try #require(Self.manifest[name])
    let files = Repository.swift(below: target.path + "/")
    let imported = files.reduce(into: Set<String>()) { $0.formUnion($1.imports) }
    #expect(target.dependencies.subtracting(imported).subtracting(Self.programs) == [])
  }

  @Test func noTargetImportsItself() {
    func below(_ name: String, _ seen: Set<String>) -> Bool {
      (Self.layers[name] ?? []).allSatisfy { !seen.contains($0) && below($0, seen.union([$0])) }
    }
    for name in Self.layers.keys { #expect(below(name, [name]), "\(name)") }
  }
}
