/// A check that undamaged packets pass. An encoder may get it wrong in every packet, and then it says nothing of
/// damage: a packet that fails counts only where packets before it passed.
struct DamageCheck {
  private var trust = 0
  private static let most = 8

  /// Takes a packet's result; true where the packet is suspect by it.
  mutating func isFailed(_ passes: Bool) -> Bool {
    let wasTrusted = trust > 0
    trust = passes ? min(Self.most, trust + 1) : max(0, trust - 1)
    return wasTrusted && !passes
  }
}
