import Glibc
import TestSupport
import Testing

/// Tests of the test servers.
struct TestServerTests {
  /// Waits until a port refuses connections. Returns false after 5,000 attempts.
  private static func isLeft(_ port: Int) -> Bool {
    for _ in 0..<5_000 {
      guard let connection = Loopback.connection(to: port) else { return true }
      close(connection)
      usleep(1_000)
    }
    return false
  }

  @Test("A second close does not close another socket with the same number")
  func closedTwice() async throws {
    try await Stage.run {
      for _ in 0..<20 {
        let first = (
          try ScriptedStation([.stall]), try LineServer { _ in }, try FakeBroker { _ in },
          try ScriptedServer(.hold)
        )
        func closeFirst() {
          first.0.close()
          first.1.close()
          first.2.close()
          first.3.close()
        }
        closeFirst()
        for port in [first.0.port, first.1.port, first.2.port, first.3.port] { #expect(Self.isLeft(port)) }
        let second = try (0..<8).map { _ in try ScriptedStation([.stall]) }
        closeFirst()
        for station in second {
          let connection = Loopback.connection(to: station.port)
          #expect(connection != nil)
          if let connection { close(connection) }
          station.close()
        }
      }
    }
  }
}
