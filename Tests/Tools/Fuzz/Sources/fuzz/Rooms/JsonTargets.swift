import Json

final class JsonReading: FuzzTarget {
  static let name = "json"
  static let seeds = [
    #"{"id":1,"result":{"a":[1,-2.5e3,true,false,null,"\u00e9\ud83d\ude00\n"]}}"#,
    "[[[[[[]]]]]]\r\n{\"a\":{\"b\":{}}}\n",
    "\"\\u0000\"\n[1,]\n{\"a\":1,\"a\":2}\n1e999\n",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    var limits = JsonValue.Limits()
    (limits.depth, limits.values) = (8, 64)
    for line in lines(of: bytes, size: bytes.count) {
      guard let value = try? JsonValue(line.span, limits: limits) else { continue }
      var count = 0
      look(at: value, depth: 0, &count)
      expect(count <= limits.values, "a text has its most values")
    }
    let size = bytes.isEmpty ? 1 : Int(bytes[0]) % 7 + 1
    expect(lines(of: bytes, size: bytes.count) == lines(of: bytes, size: size), "lines are the same however they come")
  }

  private func look(at value: JsonValue, depth: Int, _ count: inout Int) {
    expect(depth <= 8, "a text has its depth")
    count += 1
    let types = [value.string != nil, value.number != nil, value.bool != nil, value.elements != nil]
    expect(types.count { $0 } <= 1, "a value has one type")
    _ = (value["a"], value["id"]?.integer(in: 0...100))
    for element in value.elements ?? [] { look(at: element, depth: depth + 1, &count) }
  }

  private func lines(of bytes: Span<UInt8>, size: Int) -> [[UInt8]] {
    var (buffer, lines, start) = (LineBuffer(longest: 200), [[UInt8]](), 0)
    while start < bytes.count {
      let end = min(bytes.count, start + max(1, size))
      buffer.append(bytes.extracting(start..<end))
      do throws(LineBuffer.Overlong) {
        while let line = try buffer.next() {
          expect(line.count <= 200 && !line.contains(UInt8(ascii: "\n")), "a line is one line, and bounded")
          lines.append(line)
        }
      } catch { return lines }
      start = end
    }
    return lines
  }
}
