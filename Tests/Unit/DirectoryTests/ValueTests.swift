import Directory
import DirectorySupport
import Testing

@testable import class Directory.StationDirectory
@testable import struct Directory.Checksum
@testable import struct Directory.TextCode
@testable import struct Directory.TextCodeTrainer

struct ValueTests {
  @Test(
    "A uuid is parsed with and without hyphens (G2)",
    arguments: [
      ("960e57c5-0601-11e8-ae97-52543be04c81", "960e57c5-0601-11e8-ae97-52543be04c81"),
      ("960E57C5060111E8AE9752543BE04C81", "960e57c5-0601-11e8-ae97-52543be04c81"),
      ("00000000-0000-0000-0000-000000000000", nil), ("960e57c5-0601-11e8-ae97-52543be04c8", nil),
      ("960e57c5-0601-11e8-ae97-52543be04c811", nil), ("g60e57c5-0601-11e8-ae97-52543be04c81", nil), ("", nil),
      ("00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000001"),
    ] as [(String, String?)])
  func uuids(_ text: String, _ shown: String?) {
    #expect(StationUuid(text)?.description == shown)
  }

  @Test("The checksum is XXH64, in any pieces (G2)")
  func checksum() {
    func sum(_ text: String, piece: Int) -> UInt64 {
      var sum = Checksum()
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        Array(rest.prefix(piece)).withUnsafeBytes { sum.append($0) }
        rest = rest.dropFirst(piece)
      }
      return sum.value
    }
    let long = "Nobody inspects the spammish repetition"
    for piece in [1, 7, 8, 31, 32, 33, 1_000] {
      #expect(sum("", piece: piece) == 0xEF46_DB37_51D8_E999)
      #expect(sum("a", piece: piece) == 0xD24E_C4F1_A98C_6E5B)
      #expect(sum("abc", piece: piece) == 0x44BC_2CF5_AD77_0999)
      #expect(sum(long, piece: piece) == 0xFBCE_A83C_8A37_8BF1)
    }
  }

  @Test("A coded text decodes to the original, and is half as long (G2)")
  func textCode() {
    let texts = SampleStations(400).flatMap { [$0.name, $0.url, $0.homepage] }
    var (sample, ends): ([UInt8], [Int]) = ([], [])
    for text in texts.prefix(600) {
      sample += text.utf8
      ends.append(sample.count)
    }
    let code = TextCodeTrainer(sample, ends: ends).train()
    let symbols = code.bytes
    var (length, coded): (Int, [UInt8]) = (0, [])
    for text in texts + ["", "\u{0}\u{7F}\u{FF}", "日本語😀"] {
      coded.removeAll()
      Array(text.utf8).withUnsafeBytes { code.encode($0, to: &coded) }
      length += coded.count
      let back = coded.withUnsafeBytes { coded in
        symbols.withUnsafeBytes { TextCode.decode(coded, by: $0, most: 4_096) }
      }
      #expect(String(decoding: back, as: UTF8.self) == text)
    }
    #expect(Double(length) < 0.62 * Double(texts.reduce(0) { $0 + $1.utf8.count }))
  }
}
