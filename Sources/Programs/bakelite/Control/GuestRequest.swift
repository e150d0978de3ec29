import Control
import Glibc
import System
import Units

/// Requests the sound device from a radio for another program, or returns it.
///
/// A program waits for this before it plays. Retries if the radio restarts, and always ends within 5 s.
struct GuestRequest {
  static let commands: Set = ["radio_suspend", "radio_resume"]

  private let socket: String
  private let clock: Clock
  private let start: MonotonicTime

  private static let limit = Duration(milliseconds: 5_000)
  /// Time to retry a missing radio. The service restarts within a second; releasing the device takes up to 2.5 s more.
  private static let patience = Duration(milliseconds: 2_500)
  private static let pause = Duration(milliseconds: 100)

  /// Starts the time limit.
  init(_ socket: String, clock: Clock) {
    (self.socket, self.clock) = (socket, clock)
    start = clock.now()
  }

  /// Sends the request, and returns when the radio has carried it out.
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

  /// Returns true for the failures of a radio that restarts.
  private static func mayPass(_ failure: ControlConnection.Failure) -> Bool {
    switch failure {
    case .noRadio(_, ENOENT), .noRadio(_, ECONNREFUSED), .hungUp: true
    case .noRadio, .silent, .refused: false
    }
  }
}
