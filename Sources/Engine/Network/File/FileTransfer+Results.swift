import Blocks
import Units

extension FileTransfer {
  enum HeadResult: Equatable, Sendable {
    /// Continue with the checks for any response.
    case any
    /// Bytes of the file, after `skip` bytes that were received before.
    case part(skip: Int)
    /// The server does not support ranges: the whole file arrives, and audio before the goal is dropped.
    case whole
    case turn(FileProgress.Turn)
    case wrongPart
  }

  enum PacketResult {
    case dropped
    case audible(PacketInfo)
    /// Written to the ring as the first packet of the window, at that time in the file.
    case first(PacketInfo, at: StreamTime)
  }
}
