/// The hash FNV-1a, 32 bits, for searches in a file. Different texts may have the same hash.
enum ShortHash {
  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
