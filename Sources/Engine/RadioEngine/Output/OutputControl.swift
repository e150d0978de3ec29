import AudioOutput
import Blocks
import Rendering
import Units

/// The sink and its thread as the control thread sees them. Control thread only.
protocol OutputControl: AnyObject {
  var name: String { get }
  /// True if the sink is a card, which can be released and reopened.
  var isCard: Bool { get }
  /// True if the radio waits for a failed sink to return: a card or a named pipe.
  var isRecoverable: Bool { get }
  /// The reason why the sink was missing at the start; nil once it is open.
  var absence: SinkError? { get }
  /// The reason why an open sink plays nothing: a pipe's reader has stalled; else nil.
  var standing: SinkError? { get }
  var failure: SinkError? { get }
  /// True if the render thread runs under SCHED_FIFO.
  var isRealtime: Bool { get }
  /// Significant bits per sample, 16 or 24.
  var depth: Int { get }
  var rate: SampleRate { get }
  var tapFormat: TapFormat? { get }
  var monitor: UnsafePointer<MonitorRing> { get }
  /// Frames that the card has yet to play.
  var cardDelay: Int { get }
  /// Delay of a pipe's reader beyond the sink's buffer; zero for other sinks.
  var readerDelay: StreamTime { get }

  /// True if the sink needs another format; call `setFormat` until it succeeds.
  var needsFormat: Bool { get }

  /// Sets the sink's format; false until the render thread has parked.
  func setFormat() throws(SinkError) -> Bool

  /// Releases the sink after it played its buffer; returns false until then, so call again.
  func release() -> Bool
  /// Returns true, once, if the released sink failed before it played all its audio.
  func consumeUnheardFlag() -> Bool
  func reopen() throws(SinkError)
  /// Drops outdated periods while the sink is released, so that the decode thread has room.
  func discardStale()
  func closeLost()
}

extension RenderThread: OutputControl {}
