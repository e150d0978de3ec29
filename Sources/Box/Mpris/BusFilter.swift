/// Limits the messages of a bus before libsystemd reads them: libsystemd allocates up to 128 MB for a message. A value.
struct BusFilter {
  /// Maximum bytes of a message.
  static let maxMessage: UInt64 = 65_536
  /// Maximum bytes of the replies while signing in.
  static let maxSignIn = 1_024
  /// Messages accepted at once, and then per second.
  static let burst = 256.0
  static let rate = 64.0

  private var signIn = 0
  private var isInLine = false
  private var isSignedIn = false
  /// The first bytes of a message, up to 16.
  private var head: [UInt8] = []
  /// Bytes of the message after its head.
  private var left = 0
  private var allowance = burst
  private var last: Double?

  /// Checks the next bytes of the bus. `time`: seconds of a clock. Returns false at an exceeded limit, or at bytes
  /// outside a message.
  mutating func passes(_ bytes: ArraySlice<UInt8>, at time: Double) -> Bool {
    if let last { allowance = min(Self.burst, allowance + max(0, time - last) * Self.rate) }
    last = time
    var rest = bytes
    while let first = rest.first {
      if left > 0 {
        let count = min(left, rest.count)
        rest = rest.dropFirst(count)
        left -= count
        continue
      }
      rest = rest.dropFirst()
      if !isSignedIn, isInLine || !Self.begins(first) {
        signIn += 1
        isInLine = first != UInt8(ascii: "\n")
        if signIn > Self.maxSignIn { return false }
      } else {
        isSignedIn = true
        head.append(first)
        if head.count == 16, !beginsMessage() { return false }
      }
    }
    return true
  }

  /// Returns true for the first byte of a message, its byte order. Replies while signing in start with other letters.
  private static func begins(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "l") || byte == UInt8(ascii: "B") }

  private mutating func beginsMessage() -> Bool {
    let size = number(at: 4) + (number(at: 12) + 7) / 8 * 8
    guard Self.begins(head[0]), size <= Self.maxMessage, allowance >= 1 else { return false }
    allowance -= 1
    left = Int(size)
    head.removeAll(keepingCapacity: true)
    return true
  }

  private func number(at place: Int) -> UInt64 {
    let bytes = head[place..<place + 4]
    let ordered = head[0] == UInt8(ascii: "B") ? Array(bytes) : bytes.reversed()
    return ordered.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
