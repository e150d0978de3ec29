@_exported import Bakelite
import System

/// A radio for asynchronous code, with its own control thread. Requests are executed in order. The deinitialization
/// closes the radio. Any thread.
public final class AsyncRadio: Sendable {
  private let queue: WorkQueue

  /// Creates a radio that plays to `output`, reserves its memory and starts its threads.
  ///
  /// - Throws: The errors of `Radio`, and `RadioError.noThread` if the control thread cannot be started.
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
        // The thread ends by itself after the radio is closed.
        thread.abandon()
      } catch {
        made.resume(returning: .noThread(error))
      }
    }
    if let error { throw error }
    self.queue = queue
  }

  deinit { queue.close() }

  /// The control thread's stack in bytes; callers' work uses it too.
  private static let stackByteCount = 1 << 20
  private static let maxEvents = 1_000

  /// Runs work with the radio on the control thread, and returns its result. The work must be short, because the radio
  /// waits. The work must not store the radio or call `step`, `run` or `close`.
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

  /// A new stream of future events, until `summary` when the radio closes. Keeps the newest 1,000 unread events.
  public var events: AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(Self.maxEvents))
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

  /// The current status.
  public var status: RadioStatus {
    get async { await perform { $0.status } }
  }

  /// Ends the radio's threads and closes the sink. Returns the figures of the run; a second call returns them again.
  @discardableResult
  public func close() async -> Summary { await perform { $0.close() } }
}

// The methods of `Radio`; each returns after its execution.
extension AsyncRadio {
  /// Leaves the current programme and plays a station or a file.
  public func tune(_ request: StationRequest) async { await perform { $0.tune(request) } }

  /// Resumes after a pause, otherwise tunes to the selected or last request. Returns false without a request.
  @discardableResult
  public func play() async -> Bool { await perform { $0.play() } }

  /// Pauses at the current position; a live station continues to be received.
  public func pause() async { await perform { $0.pause() } }

  /// Resumes with the sample after the last one played.
  public func resume() async { await perform { $0.resume() } }

  /// Stops and disconnects.
  public func stop() async { await perform { $0.stop() } }

  /// Goes back by seconds, limited to the buffer or file.
  @discardableResult
  public func rewind(by seconds: Double) async -> SeekPlan { await perform { $0.rewind(by: seconds) } }

  /// Goes forward by seconds, limited to the buffer or file.
  @discardableResult
  public func forward(by seconds: Double) async -> SeekPlan { await perform { $0.forward(by: seconds) } }

  /// Goes forward to live, minus the safety buffer.
  @discardableResult
  public func goLive() async -> SeekPlan { await perform { $0.goLive() } }

  /// Goes to a file's position in seconds, or a live station's stream time, limited to the file or buffer.
  @discardableResult
  public func seek(to seconds: Double) async -> SeekPlan { await perform { $0.seek(to: seconds) } }

  /// Sets the loudness in dB relative to the stream, -60 … +12; nil mutes.
  public func setLoudness(_ decibels: Double?) async { await perform { $0.setLoudness(decibels) } }
}
