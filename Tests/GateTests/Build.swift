import Foundation

/// What SwiftPM built of the floors that the render thread runs through.
struct Build {
  /// The folder of one configuration.
  let folder: URL

  private static let floors = ["Units", "Blocks", "CLinux", "Rendering", "AudioOutput"]

  /// The build that these tests belong to.
  static let own = Build(folder: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent())

  /// The release build beside it, if it is one of the sources as they are now.
  static let release: Build? = {
    let build = Build(folder: own.folder.deletingLastPathComponent().appending(path: "release"))
    return build.isFresh ? build : nil
  }()

  var isDebug: Bool { folder.lastPathComponent == "debug" }

  /// The objects of the sources that there are.
  var objects: [String] {
    Self.floors.flatMap { floor in
      Self.sources(of: floor).filter { $0.pathExtension != "h" }.map {
        "\(folder.path)/\(floor).build/\($0.lastPathComponent).o"
      }
    }
  }

  /// All functions, and what the render thread reaches of them.
  func walk(places: Bool = false) throws -> (code: ObjectCode, reach: Reach) {
    let code = try ObjectCode(objects, places: places)
    return (code, code.reach(from: code.named("11renderEntry")))
  }

  private static func sources(of floor: String) -> [URL] {
    let start = Repository.root.appending(path: "Sources/\(floor)")
    let found = FileManager.default.enumerator(atPath: start.path)?.compactMap { $0 as? String } ?? []
    return found.sorted().map { start.appending(path: $0) }.filter { ["swift", "c", "h"].contains($0.pathExtension) }
  }

  /// Whether every floor was compiled after its sources were written. The compiler leaves an object alone that would be
  /// the same again, so it is the list of dependencies that tells when.
  private var isFresh: Bool {
    Self.floors.allSatisfy { floor in
      guard
        let compiled = ["\(floor).d", "\(floor).c.d"].compactMap({
          Self.time(folder.appending(path: "\(floor).build/\($0)"))
        }).first
      else { return false }
      return Self.sources(of: floor).allSatisfy { Self.time($0).map { $0 <= compiled } ?? false }
    }
  }

  private static func time(_ file: URL) -> Date? {
    (try? FileManager.default.attributesOfItem(atPath: file.path))?[.modificationDate] as? Date
  }
}
