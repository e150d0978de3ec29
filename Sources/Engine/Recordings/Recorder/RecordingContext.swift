import Framing
import Units

/// The programme's state for the recorder, in one iteration.
package struct RecordingContext {
  var epoch: UInt32
  /// True if it plays, or is about to.
  var isPlaying: Bool
  var titles: TitleLog
  /// The station's name, else its URL; nil before the response.
  var station: String?
  var position: StreamTime

  /// Creates the state of one iteration.
  package init(epoch: UInt32, isPlaying: Bool, titles: TitleLog, station: String?, position: StreamTime) {
    self.epoch = epoch
    self.isPlaying = isPlaying
    self.titles = titles
    self.station = station
    self.position = position
  }
}
