import Synchronization

/// The net thread's current wait (`StatusBoard.netWait`).
public enum NetWait: UInt8, Sendable, AtomicRepresentable {
  /// For an order, such as a station.
  case order = 0
  /// For the server's response.
  case answer
  /// For bytes.
  case bytes
  /// For the next attempt to connect.
  case nextTry
  /// For the listener, after a long pause closed the connection.
  case listener
  /// For room: the ring is full of unplayed audio, and the server must wait.
  case room
  /// For playback: the download is far ahead, and the server must wait.
  case sound
  /// For bytes that replace the oldest packets, because the ring is full of unplayed audio.
  case wrap
  /// For a name server's reply about the station's host.
  case nameServer

  /// True if the buffer cannot grow before some buffered audio is played.
  public var isHeldBack: Bool { self == .room || self == .sound || self == .wrap }
}

/// The decode thread's current wait (`StatusBoard.decodeWait`).
public enum DecodeWait: UInt8, Sendable, AtomicRepresentable {
  /// For an order.
  case order = 0
  /// For the net thread to begin the programme.
  case programme
  /// For the prebuffer.
  case hold
  /// For the next packet.
  case packets
  /// For the render thread, because the period ring is full.
  case room
  /// For no event: the programme's last period is decoded.
  case end
}
