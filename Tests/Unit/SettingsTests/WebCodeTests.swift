import Foundation
import Settings
import TestSupport
import Testing

/// The code of the web panel, and its file (W3).
@Suite("Code of the web panel")
struct WebCodeTests {
  private let folder = TemporaryFolder()
  private var file: WebCodeFile { WebCodeFile(folder: folder.path) }

  @Test("A code has 8 distinguishable characters of 32, each equally likely (W3)")
  func draws() {
    let codes = (0..<2_000).map { _ in WebCode.draw() }
    #expect(codes.allSatisfy { $0.text.count == 8 && !$0.isUsed } && Set(codes.map(\.text)).count == codes.count)
    var counts: [Character: Int] = [:]
    for code in codes { for character in code.text { counts[character, default: 0] += 1 } }
    #expect(Set(counts.keys) == Set("ABCDEFGHJKLMNPQRSTUVWXYZ23456789") && counts.count == 32)
    // 500 of each character are expected; a deviation by six sigma has a chance of one in a billion.
    #expect(counts.values.allSatisfy { (366...634).contains($0) }, "\(counts)")
  }

  @Test("A stored code is readable for its owner only, and a removed one is gone (W3)")
  func roundTrip() throws {
    #expect(file.load() == (nil, nil))
    var code = WebCode.draw()
    for isUsed in [false, true] {
      code.isUsed = isUsed
      try file.save(code)
      #expect(file.load() == (code, nil))
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/web-code")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    try file.save(nil)
    #expect(file.load() == (nil, nil))
    try file.save(nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("A file with any wrong or lost byte is set aside, without revealing its content (W3)")
  func damage() throws {
    let code = WebCode.draw()
    try file.save(code)
    let good = folder.bytes(of: "web-code")
    var damaged = good.indices.map { Array(good[..<$0]) }
    for index in good.indices {
      var bytes = good
      bytes[index] ^= 1
      damaged.append(bytes)
    }
    damaged.append(Array("bakelite-web-code 1\ncode=OOOOOOOO\nused=no\n".utf8))
    for bytes in damaged {
      folder.write(bytes, to: "web-code")
      let (loaded, problem) = file.load()
      #expect(loaded == nil && problem?.description.contains("web-code.broken") == true)
      #expect(problem?.description.contains(code.text) == false)
    }
  }
}
