import Blocks
import System

/// The memory that the net thread shares with other threads.
public struct NetMemory: Sendable {
  nonisolated(unsafe) let ring: UnsafePointer<BlockRing>
  let notices: NoticeQueue<NetNotice>
  nonisolated(unsafe) let board: UnsafePointer<StatusBoard>
  let setups: SetupTable
  /// Rings for stations that are received in advance.
  nonisolated(unsafe) let standbyRings: [UnsafePointer<BlockRing>]

  /// Ring for the newest packets of a second connection; nil to have none.
  nonisolated(unsafe) let secondRing: UnsafePointer<BlockRing>?

  /// Creates the memory of one engine. `setups` receives the decoder set-ups of the packets. `standbyRings`: one ring
  /// for each station that is received in advance, and one for the station before the current one. `secondRing`: a
  /// standby ring for a second connection.
  public init(
    _ ring: UnsafePointer<BlockRing>, _ notices: NoticeQueue<NetNotice>, _ board: UnsafePointer<StatusBoard>,
    setups: SetupTable = SetupTable(), standbyRings: [UnsafePointer<BlockRing>] = [],
    secondRing: UnsafePointer<BlockRing>? = nil
  ) {
    self.ring = ring
    self.notices = notices
    self.board = board
    self.setups = setups
    self.standbyRings = standbyRings
    self.secondRing = secondRing
  }
}
