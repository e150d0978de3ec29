import Control
import Glibc
import System
import Units

/// Asks a radio to lend its sound to another program, or to take it back.
///
/// A program waits for this before it plays. A radio that starts anew is tried again, and whatever it does, this ends
/// after 5 s.
struct GuestRequest {
  /// The commands that are asked so.
  static let commands: Set = ["radio_suspend", "radio_resume"]

  private let socket: String
  private let clock: Clock
  private let start: MonotonicTime

  /// All of it takes no longer.
  private static let limit = Duration(milliseconds: 5_000)
  /// So long a radio that is not there is tried again. Its service is back within a second, and letting go of the
  /// device takes 2.5 s at most.
  private static let patience = Duration(milliseconds: 2_500)
  private static let pause = Duration(milliseconds: 100)

  /// Asks the radio that serves a socket, from now on.
  init(_ socket: String, clock: Clock) {
    (self.socket, self.clock) = (socket, clock)
    start = clock.now()
  }

  /// Returns when the radio has done it.
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

  /// Whether a radio that starts anew would fail so.
  private static func mayPass(_ failure: ControlConnection.Failure) -> Bool {
    switch failure {
    case .noRadio(_, ENOENT), .noRadio(_, ECONNREFUSED), .hungUp: true
    case .noRadio, .silent, .refused: false
    }
  }
}
