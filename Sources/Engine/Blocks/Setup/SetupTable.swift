import System

/// The decoder set-ups of the packets in a ring, by number. The net thread adds set-ups, the decode thread reads them.
///
/// Retains the most recently used set-ups of each programme. A packet cannot be decoded if its set-up was removed. A
/// station with a set-up per song needs one entry for each song in the ring. At most seven programmes share the table.
public final class SetupTable: Sendable {
  private struct Entry {
    var number: UInt8
    var setup: CodecSetup
    var programme: Int
  }

  private struct State {
    var entries: [Entry] = []
    var last: UInt8 = 0
  }

  /// The maximum number of a programme's set-ups.
  public static let capacity = 32
  /// Maximum size of a programme's set-ups in bytes. The newest set-up stays even if it is larger.
  public static let maxBytes = 4 * CodecSetup.maxBytes

  private let state = Locked(State())

  /// Creates an empty table.
  public init() {}

  /// Returns a set-up's number, 1 … 255, which is constant while the set-up is stored. Adds a new set-up; above a
  /// limit, removes the programme's least recently used ones.
  public func number(of setup: CodecSetup, in programme: Int = 0) -> UInt8 {
    state.withLock { state in
      if let index = state.entries.firstIndex(where: { $0.setup == setup && $0.programme == programme }) {
        let known = state.entries.remove(at: index)
        state.entries.append(known)
        return known.number
      }
      repeat {
        state.last = state.last == .max ? 1 : state.last + 1
      } while state.entries.contains { $0.number == state.last }
      state.entries.append(Entry(number: state.last, setup: setup, programme: programme))
      let own = state.entries.filter { $0.programme == programme }
      var (count, byteCount) = (own.count, own.reduce(0) { $0 + $1.setup.byteCount })
      for entry in own where count > Self.capacity || byteCount > Self.maxBytes && count > 1 {
        state.entries.removeAll { $0.number == entry.number }
        (count, byteCount) = (count - 1, byteCount - entry.setup.byteCount)
      }
      return state.last
    }
  }

  /// Returns a set-up by number; nil if removed.
  public func setup(_ number: UInt8) -> CodecSetup? {
    state.withLock { state in state.entries.last { $0.number == number }?.setup }
  }
}
