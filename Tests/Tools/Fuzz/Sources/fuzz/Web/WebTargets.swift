import Json
import System

@testable import Web

/// Converts requests to the web panel's API, with any reply of the radio. Input: a byte for the operation, a line for
/// the query, a line for the body, and the radio's reply.
final class WebRequests: FuzzTarget {
  static let name = "web-request"
  static let seeds = [
    "\u{0}\n{\"to\":12.5}\n", "\u{1}words=caf%C3%A9&from=20\n\nfile: a\nName: b\nfound: 3\n",
    "\u{2}\n{\"name\":\"a \\\"b\\\" \\\\\",\"url\":\"http://a/\",\"number\":3}\nrow_1: a\ncolumns: 20\n",
    "\u{3}\n{\"value\":[true,-1,\"x\"],\"muted\":false,\"volume\":100}\napplies: now\nkey: value\n",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return }
    let text = bytes.extracting(1..<bytes.count).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let row = ApiTable.rows[Int(bytes[0] & 0x7F) % ApiTable.rows.count]
    guard case .radio(let commands, let shape) = row.work else { return }
    let place = row.path.contains("{number}") ? "7" : row.path.contains("{") ? "panel.scroll_ms" : ""
    var given = ApiArguments(place: place)
    do throws(ApiFault) {
      try given.read(query: pairs(lines[0]), row.query)
      try given.read(body: Array((lines.count > 1 ? lines[1] : "").utf8), row.body, allowsAny: row.allowsAny)
      for command in try commands(given, ApiRow.Context(isStopped: bytes[0] > 0x7F)) { look(at: command) }
    } catch {
      look(at: WebReply(error).body, "an error")
    }
    // JSON from cJSON cannot contain the character 0.
    let told = lines.dropFirst(2).filter { !$0.unicodeScalars.contains("\0") }.compactMap { AnswerLine($0) }
    look(at: WebReply(shape.json(told)).body, "an answer")
  }

  private func pairs(_ query: String) -> [(name: String, value: String)] {
    query.split(separator: "&").compactMap { pair in
      let sides = pair.split(separator: "=", maxSplits: 1).map { WebHead.decoded(String($0)) }
      guard let name = sides.first ?? nil else { return nil }
      return (name, sides.count > 1 ? sides[1] ?? "" : "")
    }
  }

  /// Checks that a command is a single line, and that the radio reads the intended words.
  private func look(at command: RadioCommand) {
    let line = Array(command.line.utf8)
    expect(line.last == UInt8(ascii: "\n") && line.count { $0 == UInt8(ascii: "\n") } == 1, "a command is one line")
    expect(!line.dropLast().contains { $0 < 0x20 || $0 == 0x7F }, "a command has no control character")
  }

  private func look(at body: [UInt8], _ what: String) {
    var limits = JsonValue.Limits()
    (limits.depth, limits.values) = (8, 100_000)
    guard let value = try? JsonValue(body.span, limits: limits) else { return expect(false, "\(what) is JSON") }
    expect(value.members != nil, "\(what) is an object")
  }
}

/// Checks a host name and an origin, one line each.
final class WebNames: FuzzTarget {
  static let name = "web-names"
  static let seeds = [
    "kitchen.local:80\nhttp://kitchen.local\n", "[::1]:8080\nhttps://[::1]:8080\n", "evil.example\nnull\n",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    let text = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let (host, origin) = (lines[0], lines.count > 1 ? lines[1] : "")
    for isEncrypted in [false, true] where OwnNames.isSame(origin: origin, as: host, isEncrypted: isEncrypted) {
      let scheme = isEncrypted ? "https://" : "http://"
      let own = host.lowercased(), other = origin.lowercased().dropFirst(scheme.count)
      let usual = isEncrypted ? ":443" : ":80"
      let names = [own, own + usual, own.hasSuffix(usual) ? String(own.dropLast(usual.count)) : own]
      expect(names.contains(String(other)) || Self.hasZeros(own, String(other)), "an origin is the host's own")
    }
    if let code = AccessCode.read(host) { expect(code.utf8.count == 8, "a code has its length") }
  }

  /// A port may have leading zeros.
  private static func hasZeros(_ one: String, _ other: String) -> Bool { one.contains(":0") || other.contains(":0") }
}
