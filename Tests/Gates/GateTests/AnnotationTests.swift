import Foundation
import Testing

/// The compiler checks functions with the annotations. These tests find functions without annotations. They need a
/// debug build: its functions are not inlined, and debugging information contains their first lines.
@Suite(.enabled(if: Tool.disassembler != nil, "no objdump in PATH"))
struct AnnotationTests {
  /// Returns the reachable functions that exist in Swift source, with their first lines.
  static func written(_ code: ObjectCode, _ reach: Reach) -> [(line: String, isAnnotated: Bool)] {
    var files: [String: [Substring]] = [:]
    return reach.functions.keys.sorted().compactMap { name in
      guard let (path, number) = code.functions[name]?.sourceLocation, path.hasSuffix(".swift"), number > 1 else {
        return nil
      }
      let lines =
        files[path] ?? (try? String(contentsOfFile: path, encoding: .utf8))?.split(
          separator: "\n", omittingEmptySubsequences: false) ?? []
      files[path] = lines
      guard number <= lines.count, lines[number - 1].contains(/\bfunc |\binit\(/) else { return nil }
      let head = lines[number - 2] + " " + lines[number - 1]
      let place = "\(URL(filePath: path).lastPathComponent):\(number):\(lines[number - 1])"
      return (place, head.contains("@_noLocks") && head.contains("@_noAllocation"))
    }
  }

  @Test(
    "Every function that the render thread reaches is annotated",
    .enabled(if: Build.own.isDebug, "functions are inlined in a release build"))
  func renderPathIsAnnotated() throws {
    let (code, reach) = try Build.own.reachableFunctions(places: true)
    let written = Self.written(code, reach)
    let symbols = reach.functions.keys.filter {
      $0.contains(/^\$s(5Units|6System|6Blocks|9Rendering|11AudioOutput).*(F|FZ|fC)$/)
    }
    #expect(written.count == symbols.count && written.count > 50, "every function's line is known")
    for file in ["RenderLoop.swift", "Renderer.swift", "PeriodRing.swift", "StreamTime.swift"] {
      #expect(written.contains { $0.line.hasPrefix(file) }, "\(file) is walked through")
    }
    #expect(written.filter { !$0.isAnnotated }.map(\.line) == [])
  }

  @Test func anAnnotationThatIsMissingIsSeen() throws {
    let code = try ObjectCode.compiling("Deeds", "-Onone", "-g", places: true)
    let written = Self.written(code, code.reachableSymbols(from: ["entryClean"]))
    #expect(written.count { $0.isAnnotated } == 2)
    #expect(written.filter { !$0.isAnnotated }.map(\.line).allSatisfy { $0.contains("func sum(") })
    #expect(written.contains { !$0.isAnnotated })
  }
}
