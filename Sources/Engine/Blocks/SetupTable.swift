import System

/// The set-ups of the packets in a ring, by number: the net thread gives them, the decode thread asks for them.
///
/// It keeps the newest few: a packet whose set-up is not kept any more cannot be decoded. A station whose songs have a
/// set-up of their own each needs no more than there are songs in the ring.
public final class SetupTable: Sendable {
  private struct Entry {
    var number: UInt8
    var setup: CodecSetup
  }

  private struct State {
    var entries: [Entry] = []
    var last: UInt8 = 0
  }

  /// So many are kept.
  public static let capacity = 32
  /// So many bytes are kept, but for the newest set-up.
  public static let mostBytes = 4 * CodecSetup.mostBytes

  private let state = Locked(State())

  /// A table without set-ups.
  public init() {}

  /// The number of a set-up, 1 … 255: the same for the same set-up, as long as it is kept.
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
      while state.entries.count > Self.capacity || byteCount > Self.mostBytes && state.entries.count > 1 {
        byteCount -= state.entries.removeFirst().setup.byteCount
      }
      return state.last
    }
  }

  /// The set-up of a number; nil where it is not kept.
  public func setup(_ number: UInt8) -> CodecSetup? {
    state.withLock { state in state.entries.last { $0.number == number }?.setup }
  }
}
