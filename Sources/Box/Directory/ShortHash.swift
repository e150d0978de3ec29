/// FNV-1a of bytes, 32 bits: to look a text up in a file. Who is found is compared.
enum ShortHash {
  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
