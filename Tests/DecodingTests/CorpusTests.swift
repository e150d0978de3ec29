import DecoderBench
import Foundation
import Testing

/// Real data of others, beside the repository or where `BAKELITE_SHARED` says.
private enum Corpora {
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

  static let files: [String] = {
    guard let root, let all = FileManager.default.enumerator(atPath: root.path) else { return [] }
    return all.compactMap { $0 as? String }.filter { path in
      let kind = path.split(separator: ".").last ?? ""
      return (path.hasPrefix("mp3-conformance/") && ["bit", "mp3"].contains(kind))
        || (path.hasPrefix("aac/") && kind == "aac") || (path.hasPrefix("mp3-extra/") && kind == "mp3")
    }.sorted()
  }()
}

/// Where they are absent these tests are skipped, and the run says so.
@Suite(.enabled(if: Corpora.root != nil, "the corpora are not beside the repository"))
struct CorpusTests {
  @Test(arguments: Corpora.files)
  func everyFileSoundsAsWithTheLibraries(path: String) throws {
    let root = try #require(Corpora.root)
    let programme = Programme([UInt8](try Data(contentsOf: root.appendingPathComponent(path))))
    let heard = hear(programme.packets)
    #expect(heard.allSatisfy { $0.peak <= 8_388_608 && $0.samples.count <= 4096 })
    // libmad goes on with the first bit rate of free format; a packet tells its own.
    guard !path.hasSuffix("l2-nonstandard-fl1_fl2_ff.bit") else { return }
    let reference = Reference(programme, .bits24)
    let places = Set(programme.packets.map(\.info.byteOffset))
    // What libmad tries between the packets, and where libfaad looks for them behind a tag, is no matter.
    let theirs = reference.frames.filter { places.contains($0.offset) || path.hasSuffix(".aac") }.map(\.heard)
    #expect(theirs.count >= heard.count)
    #expect(zip(heard, theirs).enumerated().filter { $1.0 != $1.1 }.map(\.offset) == [])
  }
}
