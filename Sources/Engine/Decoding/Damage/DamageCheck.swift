/// A check for damaged packets. Some encoders fail it in every packet, so a failure counts only after passed checks.
struct DamageCheck {
  private var trust = 0
  private static let most = 8

  /// Records a packet's result and returns true if the packet is suspect.
  mutating func isFailed(_ passes: Bool) -> Bool {
    let wasTrusted = trust > 0
    trust = passes ? min(Self.most, trust + 1) : max(0, trust - 1)
    return wasTrusted && !passes
  }
}
