import Units

/// What is to be done of what a transport decided, in its order.
enum TransportAction: Equatable {
  case tell(Event)
  /// Pause the sound, or let it go on.
  case pause(Bool)
  /// Keep what is held as it is, or not any more.
  case keepDistance(Bool)
  /// Go to a place that is held.
  case seek(StreamTime, UInt32, isExact: Bool)
  /// Begin the programme anew at a place of its file, or of its station's window.
  case leave(StreamTime)
  /// Stay, and say why.
  case refuse(SeekRefusal)
  /// Call the render thread.
  case callRenderThread
  /// Close the connection of a station, or make it anew.
  case rest, connectAgain
  /// Titles between here and there are not heard.
  case leap
}
