import Blocks
import Framing
import Http

/// Adapts the request of a connection, and receives its events. Net thread only.
protocol ConnectionClient: AnyObject {
  /// Adds a range to the request. Returns the first byte of the range; nil for the whole.
  func addRange(_ http: inout HttpRequest) -> Int?

  func handleHead(_ connection: StationConnection, _ head: HttpHead) -> HeadVerdict

  /// Decides about the next bytes, before they are parsed.
  func admission(of connection: StationConnection) -> Admission

  /// Handles parsed bytes. `byteCount`: number of new bytes; bytes received before do not count.
  func handleBytes(_ connection: StationConnection, byteCount: Int)

  func handleEnd(_ connection: StationConnection, _ end: TransferEnd)

  /// Accepts a packet and the title that begins with it.
  func accept(
    _ connection: StationConnection, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?)

  func number(of setup: CodecSetup) -> UInt8

  /// Place in an Ogg stream where the connection before this one ended; nil without one.
  func place(before connection: StationConnection) -> OggPlace?
}
