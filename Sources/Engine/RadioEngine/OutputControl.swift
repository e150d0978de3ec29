import AudioOutput
import Blocks
import Rendering
import Units

/// The sink and its thread as the control thread sees them. Used by the control thread only.
protocol OutputControl: AnyObject {
  var outputName: String { get }
  /// True if the sink is a card, which can be released and reopened.
  var isCard: Bool { get }
  /// True if the radio waits for a failed sink to return: a card or a named pipe.
  var outputComesBack: Bool { get }
  /// The reason why the sink was missing at the start; nil once it is open.
  var outputAbsence: SinkError? { get }
  /// The reason why an open sink plays nothing; nil if it accepts sound.
  var outputStanding: SinkError? { get }
  /// The sink's failure; nil while it works.
  var outputFailure: SinkError? { get }
  /// True if the render thread runs under SCHED_FIFO.
  var isRealtime: Bool { get }
  /// Bits per sample of the sink.
  var sampleBits: Int { get }
  /// Frames per second of the sink.
  var outputRate: SampleRate { get }
  var tapFormat: TapFormat? { get }
  var monitorRing: UnsafePointer<MonitorRing> { get }
  /// Frames that the card has yet to play.
  var cardDelay: Int { get }

  /// True if the sink needs another format; call `setFormat` until it succeeds.
  var needsFormat: Bool { get }
  /// Sets the sink's format; false until the render thread has parked.
  func setFormat() throws(SinkError) -> Bool

  /// Releases the sink after it played its buffer; false until then, so call again.
  func release() -> Bool
  /// Returns true once if the released sink failed with unheard sound.
  func takeUnheard() -> Bool
  func takeUp() throws(SinkError)
  /// Adopts the rates of the current sink. Returns the first place whose sound was decoded at a rate that it cannot
  /// play; nil if there is none.
  func followRates() -> StreamTime?
  /// Drops decoded sound of an old place while the sink is released.
  func discardStale()
  func closeLost()
}
