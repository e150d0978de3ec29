/// FNV-1a, 32 bits, for look-ups in a file. Matches must be compared.
enum ShortHash {
  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
