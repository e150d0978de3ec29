import CLinux
import Foundation
import System
import Testing

@testable import Box

/// In a network namespace of its own, which needs root.
struct OwnAddressTests {
  /// Runs ip(8) in the namespace of the calling thread.
  private static func ip(_ words: String) throws {
    let command =
      ["/usr/bin/env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "ip"] + words.split(separator: " ").map(String.init)
    var arguments = command.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var child: pid_t = 0
    var status: Int32 = 0
    guard posix_spawn(&child, command[0], nil, nil, &arguments, environ) == 0, waitpid(child, &status, 0) == child,
      status == 0
    else { throw POSIXError(.EPERM) }
  }

  /// Runs the body on a thread with a new network namespace; nil if this machine forbids one.
  private static func inNamespace<Result: Sendable>(_ body: @Sendable @escaping () throws -> Result) -> Result? {
    let (done, result) = (DispatchSemaphore(value: 0), Locked<Result?>(nil))
    Thread.detachNewThread {
      typealias Unshare = @convention(c) (Int32) -> Int32
      let unshare = dlsym(nil, "unshare").map { unsafeBitCast($0, to: Unshare.self) }
      if unshare?(0x4000_0000) == 0, let value = try? body() { result.withLock { $0 = value } }
      done.signal()
    }
    done.wait()
    return result.withLock { $0 }
  }

  private static let isPermitted = inNamespace { try ip("link add name probe type bridge") } != nil

  @Test("The box's address follows the network", .enabled(if: isPermitted, "needs root and ip(8)"))
  func follows() throws {
    let seen = try #require(
      Self.inNamespace {
        let set = bk_watch_open()
        defer { close(set) }
        let address = OwnAddress { bk_watch(set, $0, false) }
        var seen = [address.current]
        try Self.ip("link add name net type bridge")
        for change in [
          "addr add 192.0.2.7/24 dev net", "addr del 192.0.2.7/24 dev net", "addr add 192.0.2.9/24 dev net",
        ] {
          try Self.ip(change)
          // The change wakes the control thread.
          guard DescriptorWait.isReadable(set, within: 10_000) else { throw POSIXError(.ETIMEDOUT) }
          seen.append(address.current)
        }
        return seen
      })
    #expect(seen == [nil, "192.0.2.7", nil, "192.0.2.9"])
  }
}
