import System

/// The decoder set-ups of the packets in a ring, by number. The net thread adds set-ups, the decode thread reads them.
///
/// Retains the most recently used set-ups. A packet cannot be decoded if its set-up was removed. A station with a
/// set-up per song needs one entry for each song in the ring.
public final class SetupTable: Sendable {
  private struct Entry {
    var number: UInt8
    var setup: CodecSetup
  }

  private struct State {
    var entries: [Entry] = []
    var last: UInt8 = 0
  }

  /// The maximum number of set-ups.
  public static let capacity = 32
  /// Maximum size of all set-ups in bytes. The newest set-up stays even if it is larger.
  public static let maxBytes = 4 * CodecSetup.maxBytes

  private let state = Locked(State())

  /// Creates an empty table.
  public init() {}

  /// Returns a set-up's number, 1 … 255, which is constant while the set-up is stored. Adds a new set-up; above a
  /// limit, removes the least recently used ones.
  public func number(of setup: CodecSetup) -> UInt8 {
    state.withLock { state in
      if let index = state.entries.firstIndex(where: { $0.setup == setup }) {
        let known = state.entries.remove(at: index)
        state.entries.append(known)
        return known.number
      }
      repeat {
        state.last = state.last == .max ? 1 : state.last + 1
      } while state.entries.contains { $0.number == state.last }
      state.entries.append(Entry(number: state.last, setup: setup))
      var byteCount = state.entries.reduce(0) { $0 + $1.setup.byteCount }
      while state.entries.count > Self.capacity || byteCount > Self.maxBytes && state.entries.count > 1 {
        byteCount -= state.entries.removeFirst().setup.byteCount
      }
      return state.last
    }
  }

  /// Returns a set-up by number; nil if removed.
  public func setup(_ number: UInt8) -> CodecSetup? {
    state.withLock { state in state.entries.last { $0.number == number }?.setup }
  }
}
