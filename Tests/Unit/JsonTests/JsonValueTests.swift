import Testing

@testable import Json

struct JsonTests {
  private func read(_ text: String) throws(JsonError) -> JsonValue { try JsonValue(Array(text.utf8).span) }

  @Test("A value has only its own type")
  func types() throws {
    let value = try read(
      #" {"a":"b","c":-2.5,"d":7,"e":true,"f":false,"g":null,"h":[1,"x"],"i":{"j":"k"}} "# + "\t\r\n")
    #expect(value["a"]?.string == "b" && value["a"]?.number == nil && value["a"]?["b"] == nil)
    #expect(value["c"]?.number == -2.5 && value["c"]?.integer(in: -9...9) == nil && value["c"]?.string == nil)
    #expect(value["d"]?.integer(in: 0...7) == 7 && value["d"]?.integer(in: 0...6) == nil && value["d"]?.bool == nil)
    #expect(value["e"]?.bool == true && value["f"]?.bool == false && value["g"]?.bool == nil)
    #expect(value["h"]?.elements?.count == 2 && value["h"]?.elements?.last?.string == "x")
    #expect(value["i"]?["j"]?.string == "k" && value["i"]?.elements == nil)
    #expect(value["A"] == nil && value.string == nil)
  }

  @Test("Numbers out of range are refused", arguments: ["1e999", "-1e999", "1e300", "0.5", "101", "\"5\""])
  func numbers(_ text: String) throws {
    #expect(try read("[\(text)]").elements?[0].integer(in: 0...100) == nil)
  }

  @Test("Escaped, two-unit and invalid characters are decoded")
  func characters() throws {
    #expect(try read(#""K\u00fcche \ud83d\ude00\n\"\\""#).string == "Küche 😀\n\"\\")
    let broken = try JsonValue(([0x22, 0x61, 0xFF, 0x62, 0x22] as [UInt8]).span)
    #expect(broken.string == "a\u{FFFD}b")
  }

  @Test(
    "Text that is not JSON is refused",
    arguments: [
      "", " ", "{", "[1,", "{\"a\":}", "nul", "{}{}", "[1] x", "\"a", "\"\\u00", "\"\\ud800\"", "[\"a\\u0000b\"]",
      "\u{0}", "[1]\u{0}",
    ])
  func malformed(_ text: String) { #expect(throws: JsonError.malformed) { try read(text) } }

  @Test("A truncated text is refused without side effects")
  func cut() {
    let text = Array(#"{"a":["b\u00e9\"",{"c":[-1.5e2,true,null]}]}"#.utf8)
    for count in text.indices {
      #expect(throws: JsonError.malformed) { try JsonValue(text.span.extracting(0..<count)) }
    }
  }

  @Test("Depth and value count are limited before parsing; string contents do not count")
  func bounds() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[{\"a\":", count: depth / 2) + "1" + String(repeating: "}]", count: depth / 2)
    }
    _ = try read(nested(32))
    #expect(throws: JsonError.tooLarge) { try read(nested(34)) }
    #expect(throws: JsonError.tooLarge) { try read(String(repeating: "[", count: 200_000)) }
    func list(_ count: Int) -> String { "[" + String(repeating: "0,", count: count - 1) + "0]" }
    #expect(try read(list(16_383)).elements?.count == 16_383)
    #expect(throws: JsonError.tooLarge) { try read(list(16_384)) }
    let long = String(repeating: "[,", count: 20_000)
    #expect(try read("\"\(long)\\\"[\"").string?.utf8.count == 40_002)
  }

  @Test("A value outlives its text")
  func lifetime() throws {
    func inner() throws -> JsonValue? { try read(#"{"a":{"b":["c"]}}"#)["a"]?["b"]?.elements?.first }
    #expect(try inner()?.string == "c")
  }
}
