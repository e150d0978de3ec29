import Foundation
import Testing

/// Real data from other projects, next to the repository or in the folder `BAKELITE_SHARED`.
enum Corpora {
  static let root: URL? = {
    let manager = FileManager.default
    var folder = URL(fileURLWithPath: #filePath)
    while folder.path != "/", !manager.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
      folder.deleteLastPathComponent()
    }
    let shared =
      ProcessInfo.processInfo.environment["BAKELITE_SHARED"].map { URL(fileURLWithPath: $0) }
      ?? folder.deletingLastPathComponent().appendingPathComponent("shared")
    let corpora = shared.appendingPathComponent("corpora")
    return manager.fileExists(atPath: corpora.path) ? corpora : nil
  }()

  static func bytes(_ path: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: #require(root).appendingPathComponent(path)))
  }

  static func isEmpty(_ path: String) -> Bool { (try? bytes(path).isEmpty) == true }

  /// The uncompressed content of a gzip file.
  static func unpacked(_ path: String) throws -> [UInt8] {
    let gzip = Process()
    let pipe = Pipe()
    gzip.executableURL = URL(fileURLWithPath: "/usr/bin/gzip")
    gzip.arguments = ["-dc", try #require(root).appendingPathComponent(path).path]
    gzip.standardOutput = pipe
    try gzip.run()
    let bytes = [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
    gzip.waitUntilExit()
    try #require(gzip.terminationStatus == 0)
    return bytes
  }

  /// The files below `folder` with one of these extensions, or all files, as sorted paths below the corpora.
  static func files(_ folder: String, _ kinds: String...) -> [String] {
    guard let root, let all = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    else { return [] }
    return all.compactMap { $0 as? String }.map { folder + "/" + $0 }.filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: root.appendingPathComponent($0).path, isDirectory: &isFolder)
        && !isFolder.boolValue && (kinds.isEmpty || kinds.contains($0.kind))
    }.sorted()
  }
}

extension String {
  var kind: String { (self as NSString).pathExtension }
  var name: String { (self as NSString).lastPathComponent }
  var stem: String { (name as NSString).deletingPathExtension }
}

extension Trait where Self == ConditionTrait {
  /// Without the corpora, a suite is skipped with a message.
  static var corpora: Self { .enabled(if: Corpora.root != nil, "the corpora are not beside the repository") }
}

/// Prints one line of results per case if `BAKELITE_FIGURES` is set.
enum Figures {
  private static let areWanted = ProcessInfo.processInfo.environment["BAKELITE_FIGURES"] != nil

  static func tell(_ kind: String, _ name: String, _ figures: String...) {
    guard areWanted else { return }
    let name = name.padding(toLength: 42, withPad: " ", startingAt: 0)
    print("figure  \(kind)  \(name)  \(figures.joined(separator: "  "))")
  }

  static func decibels(_ value: Double) -> String {
    value.isInfinite ? "identical" : String(format: "%6.2f dB", value)
  }
}
