import AudioOutput
import Blocks
import Rendering
import Units

/// The sink and its thread, as the control thread sees them. The control thread's alone.
protocol OutputControl: AnyObject {
  /// What the sink is called.
  var outputName: String { get }
  /// Whether it is a card, which may be let go and taken again.
  var isCard: Bool { get }
  /// Whether a sink that fails is waited for: a card, or a named pipe.
  var outputComesBack: Bool { get }
  /// Why what is waited for was not there at the start; nil once it is.
  var outputAbsence: SinkError? { get }
  /// Why nothing sounds although the sink is there; nil where it takes sound.
  var outputStanding: SinkError? { get }
  /// Why the sink failed; nil while it works.
  var outputFailure: SinkError? { get }
  /// Whether the render thread runs under SCHED_FIFO.
  var isRealtime: Bool { get }
  /// Bits that the sink's samples have.
  var sampleBits: Int { get }
  /// Frames per second that go to the sink.
  var outputRate: SampleRate { get }
  /// What the taps were told that they are given.
  var tapFormat: TapFormat? { get }
  /// What is copied of the sound for meters.
  var monitorRing: UnsafePointer<MonitorRing> { get }
  /// Frames that the card still has to play.
  var cardDelay: Int { get }

  /// Whether the sink is to be set for what comes next: then `setFormat` is called until it is done.
  var needsFormat: Bool { get }
  /// Sets the sink for what comes next; false while the render thread has not parked yet.
  func setFormat() throws(SinkError) -> Bool

  /// Lets go of the sink once what it was given has been played; false while it plays: call again.
  func release() -> Bool
  /// Whether the sink that was released had failed with sound in it that nobody heard; true once.
  func takeUnheard() -> Bool
  /// Takes the sink that was released, and plays.
  func takeUp() throws(SinkError)
  /// Decodes for the rates of the sink that is there now. Gives the place from which sound was decoded for another sink
  /// that this one cannot play; nil where there is none.
  func followRates() -> StreamTime?
  /// Makes room for what the listener wants to hear instead, while the sink is released.
  func discardStale()
  /// Closes a pipe whose reader went away.
  func closeLost()
}
