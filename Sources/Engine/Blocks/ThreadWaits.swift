import Synchronization

/// What the net thread waits for (`StatusBoard.netWait`).
public enum NetWait: UInt8, Sendable, AtomicRepresentable {
  /// For a station to be tuned to.
  case order = 0
  /// For the server's answer.
  case answer
  /// For more bytes.
  case bytes
  /// For the moment of the next try.
  case nextTry
  /// For the listener, who paused for so long that the connection was closed.
  case listener
  /// For room: all that the ring holds is still to be heard, and the server is made to wait.
  case room
  /// For the sound: the download is far ahead of it, and the server is made to wait.
  case sound
  /// For more bytes, each of which drops what is oldest, since the ring is full of what is still to be heard.
  case wrap
  /// For a name server to say whether the station's host exists.
  case nameServer

  /// Whether no more is held, however long one waits, before some of it is heard.
  public var isHeldBack: Bool { self == .room || self == .sound || self == .wrap }
}

/// What the decode thread waits for (`StatusBoard.decodeWait`).
public enum DecodeWait: UInt8, Sendable, AtomicRepresentable {
  /// For a station to be tuned to.
  case order = 0
  /// For the net thread to begin the programme.
  case programme
  /// For more to be held, before it decodes.
  case hold
  /// For the next packet.
  case packets
  /// For the render thread, which has all the periods that find room.
  case room
  /// For nothing: the programme's last period is decoded.
  case end
}
