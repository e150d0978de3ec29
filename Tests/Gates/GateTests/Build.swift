import Foundation

/// The built objects of the targets that run on the render thread.
struct Build {
  /// The folder of a build configuration.
  let folder: URL

  private static let targets = ["Units", "System", "Blocks", "CLinux", "Rendering", "AudioOutput"]

  /// The build of these tests.
  static let own = Build(folder: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent())

  /// The release build next to this build; nil if it is older than the sources.
  static let release: Build? = {
    let build = Build(folder: own.folder.deletingLastPathComponent().appending(path: "release"))
    return build.isFresh ? build : nil
  }()

  var isDebug: Bool { folder.lastPathComponent == "debug" }

  var objects: [String] {
    Self.targets.flatMap { target in
      Self.sources(of: target).filter { $0.pathExtension != "h" }.map {
        "\(folder.path)/\(target).build/\($0.lastPathComponent).o"
      }
    }
  }

  /// Returns all functions, and the functions reachable from the render thread's entry.
  func reachableFunctions(places: Bool = false) throws -> (code: ObjectCode, reach: Reach) {
    let code = try ObjectCode(objects, places: places)
    return (code, code.reachableSymbols(from: code.named("11renderEntry")))
  }

  private static func sources(of target: String) -> [URL] {
    guard let start = Repository.folder(of: target) else { return [] }
    let found = FileManager.default.enumerator(atPath: start.path)?.compactMap { $0 as? String } ?? []
    return found.sorted().map { start.appending(path: $0) }.filter { ["swift", "c", "h"].contains($0.pathExtension) }
  }

  /// True if each target was compiled after its last source change. Checks the dependency file, because the compiler
  /// does not rewrite unchanged objects.
  private var isFresh: Bool {
    Self.targets.allSatisfy { target in
      guard
        let compiled = ["\(target).d", "\(target).c.d"].compactMap({
          Self.time(folder.appending(path: "\(target).build/\($0)"))
        }).first
      else { return false }
      return Self.sources(of: target).allSatisfy { Self.time($0).map { $0 <= compiled } ?? false }
    }
  }

  private static func time(_ file: URL) -> Date? {
    (try? FileManager.default.attributesOfItem(atPath: file.path))?[.modificationDate] as? Date
  }
}

struct Tool {
  let path: String

  /// Finds the first of these names in PATH.
  init?(_ names: String...) {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    let paths = names.flatMap { name in folders.map { "\($0)/\(name)" } }
    guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else { return nil }
    self.path = path
  }

  static let compiler = Tool("swiftc")
  static let disassembler = Tool("llvm-objdump", "objdump")

  /// Runs the program to its end. Returns the combined text of both outputs.
  func run(_ arguments: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    // A child inherits the blocked signals of a test's thread, and could then not be ended.
    var none = sigset_t()
    var blocked = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &blocked)
    defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
    try process.run()
    let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
