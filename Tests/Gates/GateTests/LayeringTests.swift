import Foundation
import Testing

/// A target is a floor: it imports only what stands below it.
struct LayeringTests {
  /// What each floor may import, beside the C library and Synchronization.
  static let floors: [String: Set<String>] = [
    "Units": [],
    "System": ["Units", "CLinux"],
    "Blocks": ["Units", "CLinux"],
    "Framing": ["Blocks", "Units"],
    "Listings": ["Framing", "Units", "CExpat"],
    "Network": ["Framing", "Listings", "Blocks", "System", "Units", "CCurl", "CLinux"],
    "Decoding": ["Blocks", "Units", "CMad", "CFaad", "CSpeexDSP"],
    "Rendering": ["Blocks", "Units", "CLinux"],
    "AudioOutput": ["Rendering", "Blocks", "System", "Units", "CALSA", "CLinux"],
    "Metering": ["Units", "CKissFFT"],
    "RadioEngine": [
      "AudioOutput", "Metering", "Rendering", "Decoding", "Network", "Framing", "Blocks", "System", "Units", "CLinux",
    ],
    "Bakelite": [
      "RadioEngine", "AudioOutput", "Metering", "Rendering", "Network", "Framing", "Blocks", "System", "Units",
    ],
    "Control": ["RadioEngine", "Metering", "Network", "Framing", "System", "Units", "CLinux"],
    "PanelWords": [],
    "Settings": ["PanelWords", "System", "Units", "CToml", "CLinux"],
    "Panel": ["PanelWords", "Units"],
    "PanelLinux": ["Panel", "System", "Units", "CGpiod", "CLinux"],
    "Station": ["Framing", "Blocks", "System", "Units", "CLinux"],
    "Box": [
      "Control", "RadioEngine", "Network", "AudioOutput", "Framing", "Blocks", "System", "Units", "Settings", "Panel",
      "PanelWords", "PanelLinux", "CLinux",
    ],
    "bakelited": ["Box"],
    "bakelite": [
      "Control", "RadioEngine", "Network", "AudioOutput", "Framing", "Blocks", "System", "Units", "Station", "CLinux",
      "Settings", "Listings", "Panel", "PanelWords", "PanelLinux", "ArgumentParser",
    ],
  ]

  /// Floors without input or output: not even the C library.
  static let pure: Set = ["Units", "Framing", "Rendering", "Blocks", "Panel", "PanelWords"]

  static let sources = Repository.swift(below: "Sources/")

  @Test func everyFloorIsInTheTable() {
    #expect(Set(Self.sources.map(\.target)) == Set(Self.floors.keys))
  }

  @Test("A floor imports only what stands below it", arguments: floors.keys.sorted())
  func importsStayBelow(_ floor: String) throws {
    let system: Set = Self.pure.contains(floor) ? ["Synchronization"] : ["Synchronization", "Glibc"]
    let allowed = try #require(Self.floors[floor]).union(system)
    let files = Self.sources.filter { $0.target == floor }
    for file in files { #expect(file.imports.subtracting(allowed) == [], "\(file)") }
  }

  @Test("Package.swift says the same", arguments: floors.keys.sorted())
  func manifestAgrees(_ floor: String) throws {
    let manifest = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
    let pattern = try Regex(
      #"arget\(\s*name: "\#(floor)"(?:,\s*dependencies: \[([^\]]*)\])?"#, as: (Substring, Substring?).self)
    let target = try #require(manifest.firstMatch(of: pattern), "Package.swift has the target \(floor)")
    let names = (target.1 ?? "").matches(of: /(?:name: )?"(\w[\w-]*)"/).map { String($0.1) }
    #expect(Set(names).subtracting(["swift-argument-parser"]) == Self.floors[floor])
  }

  @Test func noFloorStandsOnItself() {
    func below(_ floor: String, _ seen: Set<String>) -> Bool {
      (Self.floors[floor] ?? []).allSatisfy { !seen.contains($0) && below($0, seen.union([$0])) }
    }
    for floor in Self.floors.keys { #expect(below(floor, [floor]), "\(floor)") }
  }
}
