@_exported import Bakelite
import System

/// A radio for asynchronous code: it has a control thread of its own, and any task may use it at any time.
///
/// What is asked for is done in the order in which it was asked for. A radio that nobody holds any more is closed.
public final class AsyncRadio: Sendable {
  private let queue: WorkQueue

  /// A radio that plays to `output`; its memory is reserved and its threads run. Time goes by `clock`.
  ///
  /// - Throws: As `Radio` does, and where there is no further thread to be had.
  public init(
    _ settings: RadioSettings, _ output: OutputRequest, clock: Clock = .machine
  ) async throws(RadioError) {
    let queue = WorkQueue(clock)
    let error: RadioError? = await withCheckedContinuation { made in
      do throws(ThreadError) {
        let thread = try OwnedThread("control", stackByteCount: AsyncRadio.stackByteCount) {
          do throws(RadioError) {
            let radio = try Radio(settings, output, clock: clock)
            made.resume(returning: nil)
            queue.serve(radio)
          } catch {
            made.resume(returning: error)
          }
        }
        // It ends by itself after the radio was closed.
        thread.abandon()
      } catch {
        made.resume(returning: .noThread(error))
      }
    }
    if let error { throw error }
    self.queue = queue
  }

  deinit { queue.close() }

  /// The stack of the control thread, on which the work of the callers is done too, in bytes.
  private static let stackByteCount = 1 << 20
  /// So many events a stream keeps for who does not come to read them; beyond that the oldest are dropped.
  private static let mostEvents = 1_000

  /// Has the control thread do some work with the radio, and gives back what it returns. The work must be short: the
  /// radio waits meanwhile. It must not keep the radio, nor call `step`, `run` or `close`.
  public func perform<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable (Radio) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let outcome: Result<Value, Failure> = await withCheckedContinuation { done in
      queue.post { radio in
        do throws(Failure) {
          done.resume(returning: .success(try work(radio)))
        } catch {
          done.resume(returning: .failure(error))
        }
      }
    }
    return try outcome.get()
  }

  /// The events from now on, each time as a stream of its own; it ends after `summary`, when the radio is closed. Who
  /// reads nothing for long misses the oldest: 1,000 events are kept.
  public var events: AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(Self.mostEvents))
    queue.post { radio in
      guard !radio.isClosed else { return continuation.finish() }
      var own: EventObserver?
      own = radio.addObserver { [unowned radio] event, _ in
        let isOver = if case .summary = event { true } else { false }
        if case .terminated = continuation.yield(event), let own { radio.removeObserver(own) }
        if isOver { continuation.finish() }
      }
    }
    return stream
  }

  /// The radio at this moment.
  public var status: RadioStatus {
    get async { await perform { $0.status } }
  }

  /// Ends the threads and closes the sink. Gives the whole run in figures, and a second time the same.
  @discardableResult
  public func close() async -> Summary { await perform { $0.close() } }
}

// The same orders as `Radio` has; each returns when it is obeyed.
extension AsyncRadio {
  /// Leaves what is heard, and plays a station or a file.
  public func tune(_ request: StationRequest) async { await perform { $0.tune(request) } }

  /// Goes on after a pause, or plays what was selected or tuned to last; false where there is neither.
  @discardableResult
  public func play() async -> Bool { await perform { $0.play() } }

  /// Falls silent where it is; a live station goes on being received.
  public func pause() async { await perform { $0.pause() } }

  /// Goes on with the sample after the last one that was heard.
  public func resume() async { await perform { $0.resume() } }

  /// Falls silent and disconnects.
  public func stop() async { await perform { $0.stop() } }

  /// Goes back by so many seconds, or as far as is held.
  @discardableResult
  public func rewind(by seconds: Double) async -> SeekPlan { await perform { $0.rewind(by: seconds) } }

  /// Goes on by so many seconds, or as far as is held.
  @discardableResult
  public func forward(by seconds: Double) async -> SeekPlan { await perform { $0.forward(by: seconds) } }

  /// Goes to what the station sends now, but for what is kept held for safety; never back.
  @discardableResult
  public func goLive() async -> SeekPlan { await perform { $0.goLive() } }

  /// Goes to so many seconds from a file's beginning, or as far as it goes; at a live station to that stream time.
  @discardableResult
  public func seek(to seconds: Double) async -> SeekPlan { await perform { $0.seek(to: seconds) } }

  /// Makes the sound so loud from now on, 0 dB being as sent, -60 … +12; nil is silence.
  public func setLoudness(_ decibels: Double?) async { await perform { $0.setLoudness(decibels) } }
}
