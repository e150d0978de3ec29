import Control
import Glibc
import System
import Units

/// Requests the sound device from a radio for another program, or returns it.
///
/// A program waits for this before it plays. Retries a radio that restarts; ends after 5 s in any case.
struct GuestRequest {
  static let commands: Set = ["radio_suspend", "radio_resume"]

  private let socket: String
  private let clock: Clock
  private let start: MonotonicTime

  /// The maximum total time.
  private static let limit = Duration(milliseconds: 5_000)
  /// The time to retry a missing radio: its service restarts within a second, and releasing the device takes 2.5 s at
  /// most.
  private static let patience = Duration(milliseconds: 2_500)
  private static let pause = Duration(milliseconds: 100)

  /// Creates a request to the radio at a socket; its time starts now.
  init(_ socket: String, clock: Clock) {
    (self.socket, self.clock) = (socket, clock)
    start = clock.now()
  }

  /// Returns once the radio has obeyed.
  func ask(_ request: [[UInt8]]) throws(ControlConnection.Failure) {
    while true {
      do throws(ControlConnection.Failure) {
        _ = try ControlConnection(socket, limit: (start + Self.limit, clock)).ask(bytes: request)
        return
      } catch {
        guard Self.mayPass(error), clock.now() < start + Self.patience else { throw error }
      }
      clock.sleep(until: clock.now() + Self.pause)
    }
  }

  private static func mayPass(_ failure: ControlConnection.Failure) -> Bool {
    switch failure {
    case .noRadio(_, ENOENT), .noRadio(_, ECONNREFUSED), .hungUp: true
    case .noRadio, .silent, .refused: false
    }
  }
}
