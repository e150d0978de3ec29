import Settings
import Testing
import TestSupport
import SeededRandom

@Suite("Hostile settings")
struct HostileTests {
  static let files = ["config/bakelite.toml", "config/stations.toml", "boards/max98357a.toml", "boards/simulated.toml"]

  @Test("a file cut at any byte is read or refused, and its stations before the cut are there", arguments: files)
  func cuts(_ path: String) throws {
    let bytes = Repository.bytes(path)
    let all = StationList.read(bytes, file: "x").entries.map(\.station.name)
    for count in bytes.indices where count < 200 || count % 29 == 0 {
      let head = Array(bytes[..<count])
      readAll(head)
      guard path.contains("stations") else { continue }
      let names = StationList.read(head, file: "x").entries.map(\.station.name)
      #expect(all.starts(with: names))
      #expect(names.count >= String(decoding: head, as: UTF8.self).split(separator: "[[station]]").count - 2)
    }
  }

  @Test("random bytes in a file are read or refused", arguments: files, 0..<4 as Range<UInt64>)
  func noise(_ path: String, _ seed: UInt64) {
    var random = SeededGenerator(seed)
    let bytes = Repository.bytes(path)
    for _ in 0..<20 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = changed.indices.randomElement(using: &random) ?? 0
        changed[index] =
          Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random)
          : Array("[]{}=\".'#\n,".utf8).randomElement(using: &random) ?? 0
      }
      readAll(changed)
    }
  }

  @Test(
    "much of one thing is refused in time", .timeLimit(.minutes(3)),
    arguments: [
      "[", "[[", "{", "a.", "a={", "a=[", "\"", "'", "\"\"\"", "#", "\n", "[[station]]\n", "[a.", "a", "=", "\u{FEFF}",
      "[[station]]\nname=\"a\"\nurl=\"http://a\"\n", "a\"\"\"=1\n#", "\\u", "9", ".", "- ", "k=1\nk", "\u{1}",
    ])
  func repetition(_ piece: String) {
    let text = Array(String(repeating: piece, count: (24 << 10) / piece.utf8.count).utf8)
    for head in ["", "x = ", "x = [\"\"\"\n#\"\"\", {"] { readAll(Array(head.utf8) + text) }
  }

  @Test("what nests as deep as a document may is read")
  func deep() {
    let dots = String(repeating: "a.", count: 63) + "a"
    let values = String(repeating: "{\(dots) = [\n", count: 7) + String(repeating: "]}", count: 7)
    let text = "[\(dots)]\n\(dots) = [\n" + values + "]\n"
    let errors = #expect(throws: SettingsErrors.self) { try configuration(text) }
    #expect(errors?.description.contains("there is no key \"a\" here") == true, "\(errors as Any)")
    readAll(Array(text.utf8))
  }

  @Test("no more problems are told than anybody reads")
  func many() {
    let text = (1...5_000).map { "k\($0) = 1\n" }.joined()
    #expect(throws: SettingsErrors.self) { try configuration(text) }
    #expect(StationList.read(Array(text.utf8), file: "x").problems.count <= 101)
  }

  private func readAll(_ bytes: [UInt8]) {
    _ = try? Configuration(bytes, file: "x")
    _ = try? Board(bytes, file: "x")
    _ = StationList.read(bytes, file: "x")
    if let file = try? StationFile(bytes, file: "x") { #expect(file.bytes.starts(with: bytes)) }
  }
}
