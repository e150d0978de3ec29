extension Configuration {
  /// Returns the fault of settings that reserve more than half of the memory; nil if they fit. `memory`: bytes.
  public func memoryFault(of memory: Int) -> SettingsError? {
    let most = memory / 2 / Self.blockByteCount
    guard buffer.blocks > most else { return nil }
    let megabytes = (buffer.blocks * Self.blockByteCount + 999_999) / 1_000_000
    return SettingsError(
      "[buffer] blocks",
      "\(buffer.blocks) blocks need \(megabytes) MB of the machine's \(memory / 1_000_000) MB; write at most \(most)")
  }

  private static let blockByteCount = 5_120
}
