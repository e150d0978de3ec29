import Framing
import Units

/// Which other programs have the sound, and for how long: leases by name, so that a program that never gives the sound
/// back keeps it no longer than it said.
///
/// A value without a clock: each input comes with its moment. The sound is the radio's where there is no lease.
struct SoundLeases: Equatable {
  struct Lease: Equatable {
    /// Who has it; nil: a program that told no name.
    let name: String?
    /// When it ends by itself.
    let end: MonotonicTime
  }

  /// More programs are refused.
  static let most = 8
  /// The longest name, in characters.
  static let longestName = 32

  /// In the order in which they were asked for.
  private(set) var leases: [Lease] = []

  /// Whether nobody has the sound but the radio.
  var isEmpty: Bool { leases.isEmpty }

  /// When the last of them ends by itself; nil where there is none.
  var end: MonotonicTime? { leases.map(\.end).max() }

  /// Whether a program may be called so: by 1 to 32 characters that a display may show, not all of them digits, since
  /// those are seconds.
  static func isName(_ text: String) -> Bool {
    let count = text.unicodeScalars.count
    return count > 0 && count <= longestName && DisplayText.clean(text) == text
      && !text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Lends the sound for so long. Who asks again has one lease still, which ends as was asked last. False where it
  /// would be one too many.
  mutating func lend(to name: String?, for length: Duration, at now: MonotonicTime) -> Bool {
    expire(at: now)
    let others = leases.filter { $0.name != name }
    guard others.count < Self.most else { return false }
    leases = others + [Lease(name: name, end: now + length)]
    return true
  }

  /// Ends the lease of a program; without effect where it has none.
  mutating func end(of name: String) { leases.removeAll { $0.name == name } }

  /// Ends all leases.
  mutating func endAll() { leases = [] }

  /// Ends those whose time is over.
  mutating func expire(at now: MonotonicTime) { leases.removeAll { $0.end <= now } }
}
