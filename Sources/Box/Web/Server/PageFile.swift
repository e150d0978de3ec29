struct PageFile: Equatable {
  /// Bytes as sent.
  struct Form: Equatable {
    let bytes: [UInt8]
    /// The entity tag (RFC 9110, section 8.8.3).
    let tag: String

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      // FNV-1a, 64 bits: only distinguishes files.
      let hash = bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
      tag = "\"\(String(hash, radix: 16))\""
    }
  }

  let type: String
  let plain: Form
  /// The form compressed by gzip; nil if the folder has no such file.
  var packed: Form?

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "json": "application/json",
    "webmanifest": "application/manifest+json", "txt": "text/plain; charset=utf-8",
  ]

  init?(named name: String, _ bytes: [UInt8]) {
    guard let dot = name.lastIndex(of: "."), let type = Self.types[String(name[name.index(after: dot)...])] else {
      return nil
    }
    self.type = type
    plain = Form(bytes)
  }
}
