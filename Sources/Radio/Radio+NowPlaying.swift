import Network

// Titles that a station tells beside its stream (R6.3 – R6.5, R6.8).
extension Radio {
  /// Whether what is tuned to tells titles beside its stream.
  public var hasNowPlaying: Bool { phase != .stopped && queue.request?.outside.isAny == true }

  /// Asks for the titles beside the stream from now on; false where the station has none, or the radio is stopped.
  ///
  /// A station begins with that by itself, unless its `OutsideTitles.isBegun` says otherwise. AudioCast, which a server
  /// is asked for when it is connected to, begins with the next connection.
  @discardableResult
  public func beginNowPlaying() -> Bool { ask(true) }

  /// Asks for them no more, until they are begun again or another station is tuned to; false as above. Titles that were
  /// told stay.
  @discardableResult
  public func endNowPlaying() -> Bool { ask(false) }

  private func ask(_ isWanted: Bool) -> Bool {
    guard hasNowPlaying else { return false }
    engine.askForTitles(isWanted)
    return true
  }
}
