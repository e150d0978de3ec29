import Units

@testable import Network

/// Any text as an address, as a reference in a list, and as something to be shown.
final class Addresses: FuzzTarget {
  static let name = "address"
  static let longest = 300
  static let seeds = [
    "\0http://anna:secret@Radio.Example:8000/a/../b?token=1#c", "\u{1}radio.example:8000/live", "\u{2}icy://[::1]/;a",
    "\u{3}//a.example/b c%20%zz", "\u{4}file:///a/%41?b", "\u{5}HTTPS:a", "\u{6}http://b\u{FC}cher.example/\u{301}",
    "\u{7}../../a:b?c", "\u{8}http://1.2.3.4:99999/", "\u{9}a@\u{301}b/?\u{301}key=1",
  ].map { Array($0.utf8) }

  /// What no fuzzer writes by itself, in the places of a password.
  private static let secret = "zQ7xW9vK3mJ5"

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let allowsFile = recipe.flag()
    let cut = recipe.number(0...40)
    let head = String(decoding: recipe.take(cut), as: UTF8.self)
    let text = String(decoding: recipe.rest(), as: UTF8.self)
    if let address = try? WebAddress(text, allowsFile: allowsFile) {
      Self.check(address, allowsFile)
      if let found = try? address.resolve(head) { Self.check(found, allowsFile && address.isFile) }
      if let found = try? address.adding(query: [head, text]) { Self.check(found, allowsFile) }
    }
    Self.check(redacted: StationAddress(text).description)
    Self.checkSecret(head, text)
  }

  private static func check(_ address: WebAddress, _ allowsFile: Bool) {
    expect(
      ["http", "https"].contains(address.scheme) || allowsFile && address.isFile, "only what is allowed is spoken")
    expect(
      address.url.unredacted.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F || $0 >= 0x80 },
      "an address has no spaces or controls")
    expect(address.path.hasPrefix("/"), "a path begins at the root")
    expect(address.isFile || !address.host.isEmpty, "there is a host")
    expect((0...65_535).contains(address.port), "a port has 16 bits")
    check(redacted: address.description)
    guard let same = try? WebAddress(address.url, allowsFile: allowsFile) else {
      expect(address.url.unredacted.utf8.count > 16_000, "an address in its normal form can be read again")
      return
    }
    expect(same.url == address.url && same.credentials == nil, "and is the same, without secrets")
  }

  private static func check(redacted text: String) {
    expect(
      text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "no control character is shown")
  }

  /// A password before "@", and a token in a query, however odd the address around them.
  private static func checkSecret(_ head: String, _ tail: String) {
    let user = String(String.UnicodeScalarView(head.unicodeScalars.filter { !"/?#\\@:".unicodeScalars.contains($0) }))
    let scheme = "x" + String(head.utf8.filter { (0x61...0x7A).contains($0) }.map { Character(Unicode.Scalar($0)) })
    for text in [
      "http://\(user):\(secret)@\(tail)", "\(scheme)://a:\(secret)@\(tail)", "a\(user):\(secret)@\(tail)",
      "http://a.example/\(user)?token=\(secret)",
    ] {
      expect(!StationAddress(text).description.contains(secret), "no secret is shown")
    }
  }
}
