import Units

/// An action that a transport decided, to be carried out in order.
enum TransportAction: Equatable {
  case emit(Event)
  case pause(Bool)
  /// Hold the buffer's length constant, or stop doing so.
  case holdDistance(Bool)
  case seek(StreamTime, UInt32, isExact: Bool)
  /// Restart the programme at a position of its file, or of its station's window.
  case leave(StreamTime)
  /// Stay, and report the reason.
  case refuse(SeekRefusal)
  case wakeRenderThread
  /// Close the connection of a station, or reconnect.
  case rest, connectAgain
  case leap
}
