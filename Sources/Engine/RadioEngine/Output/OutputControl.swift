import AudioOutput
import Blocks
import Rendering
import Units

/// The sink and its thread as the control thread sees them. Control thread only.
protocol OutputControl: AnyObject {
  var outputName: String { get }
  /// True if the sink is a card, which can be released and reopened.
  var isCard: Bool { get }
  /// True if the radio waits for a failed sink to return: a card or a named pipe.
  var isOutputRecoverable: Bool { get }
  /// The reason why the sink was missing at the start; nil once it is open.
  var outputAbsence: SinkError? { get }
  /// The reason why an open sink plays nothing: a pipe's reader has stalled; else nil.
  var outputStall: SinkError? { get }
  var outputFailure: SinkError? { get }
  /// True if the render thread runs under SCHED_FIFO.
  var isRealtime: Bool { get }
  /// Significant bits per sample, 16 or 24.
  var sampleBits: Int { get }
  var outputRate: SampleRate { get }
  var tapFormat: TapFormat? { get }
  var monitorRing: UnsafePointer<MonitorRing> { get }
  /// Frames that the card has yet to play.
  var cardDelay: Int { get }

  /// True if the sink needs another format; call `setFormat` until it succeeds.
  var needsFormat: Bool { get }

  /// Sets the sink's format; false until the render thread has parked.
  func setFormat() throws(SinkError) -> Bool

  /// Releases the sink after it played its buffer; returns false until then, so call again.
  func release() -> Bool
  /// Returns true, once, if the released sink failed before it played all its audio.
  func consumeUnheardFlag() -> Bool
  func reopen() throws(SinkError)
  /// Adopts the rates of the current sink. Returns the stream time from which audio was decoded at a rate that the sink
  /// cannot play; nil without such audio.
  func followRates() -> StreamTime?
  /// Drops outdated periods while the sink is released, so that the decode thread has room.
  func discardStale()
  func closeLost()
}
