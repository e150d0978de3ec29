import Framing
import Units

/// The leases of the sound device by name. A lease has an end, because a program may never return the device. A value;
/// the caller passes the time.
struct SoundLeases: Equatable {
  struct Lease: Equatable {
    let name: String?
    let end: MonotonicTime
  }

  static let maxCount = 8
  /// Maximum length of a name in characters.
  static let maxNameLength = 32

  /// The leases in order of request.
  private(set) var leases: [Lease] = []

  var isEmpty: Bool { leases.isEmpty }

  var end: MonotonicTime? { leases.map(\.end).max() }

  /// Returns true for a valid name: 1 to 32 printable characters. Digits alone are invalid, because they are seconds.
  static func isName(_ text: String) -> Bool {
    let count = text.unicodeScalars.count
    return count > 0 && count <= maxNameLength && DisplayText.clean(text) == text
      && !text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Adds or renews a program's lease. False if there are too many.
  mutating func lend(to name: String?, for length: Duration, at now: MonotonicTime) -> Bool {
    expire(at: now)
    let others = leases.filter { $0.name != name }
    guard others.count < Self.maxCount else { return false }
    leases = others + [Lease(name: name, end: now + length)]
    return true
  }

  mutating func end(of name: String) { leases.removeAll { $0.name == name } }

  mutating func endAll() { leases = [] }

  mutating func expire(at now: MonotonicTime) { leases.removeAll { $0.end <= now } }
}
