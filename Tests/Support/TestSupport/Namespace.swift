import Foundation
import System

/// A network namespace for the calling thread and the threads it starts later.
public enum Namespace {
  /// True if this process may create network namespaces.
  public static let isPermitted: Bool = {
    let (done, isMade) = (DispatchSemaphore(value: 0), Locked(false))
    Thread.detachNewThread {
      isMade.withLock { $0 = (try? enter()) != nil }
      done.signal()
    }
    done.wait()
    return isMade.withLock { $0 }
  }()

  /// Calls `unshare(CLONE_NEWNET)`; the new namespace has only a loopback interface, not yet up.
  public static func enter() throws {
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let symbol = dlsym(nil, "unshare") else { throw POSIXError(.ENOSYS) }
    guard unsafeBitCast(symbol, to: Unshare.self)(0x4000_0000) == 0 else { throw POSIXError(.EPERM) }
  }

  /// Sets the loopback interface up or down (netdevice(7), SIOCSIFFLAGS).
  public static func setLoopback(isUp: Bool) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    var request = [UInt8](repeating: 0, count: 40)
    request.replaceSubrange(0..<2, with: "lo".utf8)
    request[16] = isUp ? 1 : 0
    let result = request.withUnsafeMutableBytes { bytes in bytes.baseAddress.map { ioctl(descriptor, 0x8914, $0) } }
    guard result == 0 else { throw POSIXError(.EPERM) }
  }
}
