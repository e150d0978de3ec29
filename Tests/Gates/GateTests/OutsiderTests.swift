import Foundation
import Testing

/// Compiles code of another package against the modules of this build.
@Suite(.enabled(if: Tool.compiler != nil, "no swiftc in PATH"))
struct OutsiderTests {
  /// Returns the compiler's messages; empty if the code compiles.
  private func compilerMessages(about code: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "Outsider-\(UUID()).swift")
    try code.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let folder = Build.own.folder
    let c = try FileManager.default.contentsOfDirectory(atPath: Repository.root.appending(path: "Sources/C").path)
    let maps =
      (c.map { Repository.root.appending(path: "Sources/C/\($0)/module.modulemap") }
      + c.map { folder.appending(path: "\($0).build/module.modulemap") }).filter {
        FileManager.default.fileExists(atPath: $0.path)
      }
    let answer = try #require(Tool.compiler).run(
      ["-typecheck", "-swift-version", "6", "-parse-as-library", "-I", folder.appending(path: "Modules").path]
        + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + [file.path])
    return answer.status == 0 ? "" : answer.text
  }

  @Test("One import gives all names for a program")
  func seen() throws {
    let code = """
      import Bakelite

      func play(_ path: String) throws(RadioError) -> Summary {
        var settings = RadioSettings()
        settings.hold.waitLive = StreamTime(seconds: 5)
        let radio = try Radio(settings, OutputRequest(.null), clock: Clock.machine)
        radio.tune(StationRequest(path: path))
        radio.run(for: Duration(seconds: 1))
        let (status, levels) = (radio.status, radio.levels)
        let held: (Int, PlaybackFault?) = (status.blocks.usedCount, radio.fault)
        print(held, levels.left.peak, status.measuredBitRate ?? BitRate(bitsPerSecond: 0))
        return radio.close()
      }
      """
    #expect(try compilerMessages(about: code) == "")
  }

  @Test(
    "What the engine's targets offer to each other alone is not seen",
    arguments: [
      "JsonLine", "BlockRing", "HttpEngine", "WebAddress", "PacketFramer", "RenderThread", "Renderer", "Locked",
      "OwnedThread", "Spectrum", "Version", "AsyncRadio",
    ])
  func unseen(_ name: String) throws {
    let text = try compilerMessages(about: "import Bakelite\n\nfunc name() -> Any.Type { \(name).self }\n")
    #expect(text.contains("cannot find '\(name)' in scope"), "\(text)")
  }

  #if hasAttribute(nonexhaustive)
    @Test("A switch over all events needs a default for future events")
    func events() throws {
      let source = try #require(Repository.files.first { $0.place == "RadioEngine/Event" })
      let cases = source.matches(#"^  case (\w+)"#).map { "  case .\($0.text): true\n" }.joined()
      func code(_ more: String) -> String {
        "import Bakelite\n\nfunc isKnown(_ event: Event) -> Bool {\n  switch event {\n\(cases)\(more)  }\n}\n"
      }
      #expect(try compilerMessages(about: code("")).contains("may have additional unknown values"))
      #expect(try compilerMessages(about: code("  @unknown default: false\n")) == "")
    }
  #endif
}
