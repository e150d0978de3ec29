import CLinux
import Glibc
import System

/// A device on an I2C bus, opened at the first write, and again after an error. One thread.
///
/// Uses /dev/i2c-N: I2C_SLAVE, write(2) and read(2).
public final class I2cDevice {
  /// The bus, such as "/dev/i2c-1".
  public let path: String
  /// The 7-bit address.
  public let address: UInt8
  private var bus = Descriptor(-1)

  // From linux/i2c-dev.h.
  private static let setTimeout: UInt = 0x0702
  private static let setAddress: UInt = 0x0703
  /// Timeout of a transfer in units of 10 ms: ten times the longest transfer.
  private static let timeout: CInt = 20

  /// Creates a device that may be absent.
  public init(path: String, address: UInt8) {
    self.path = path
    self.address = address
  }

  /// The bus clock in hertz from the device tree; the default is 100 kHz, which every device supports.
  public var hertz: Int {
    let name = path.split(separator: "/").last ?? ""
    guard let file = fopen("/sys/class/i2c-dev/\(name)/device/of_node/clock-frequency", "r") else { return 100_000 }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4)
    let count = fread(&bytes, 1, 4, file)
    let hertz = bytes.reduce(0) { $0 << 8 | Int($1) }
    return count == 4 && (10_000...5_000_000).contains(hertz) ? hertz : 100_000
  }

  /// Writes bytes in one transfer; blocks until they are on the bus, at most 0.2 s.
  public func write(_ bytes: [UInt8]) throws(HardwareError) {
    let written = bk_write(try open(), bytes, bytes.count)
    if written != bytes.count { throw failure(written < 0 ? Int32(-written) : EIO) }
  }

  /// Reads one byte.
  public func read() throws(HardwareError) -> UInt8 {
    var byte: UInt8 = 0
    let count = Glibc.read(try open(), &byte, 1)
    if count != 1 { throw failure(count < 0 ? errno : EIO) }
    return byte
  }

  private func open() throws(HardwareError) -> Int32 {
    if bus.isOpen { return bus.raw }
    bus = Descriptor(Glibc.open(path, O_RDWR | O_CLOEXEC))
    if !bus.isOpen || ioctl(bus.raw, Self.setAddress, CInt(address)) < 0 { throw failure(errno) }
    // If refused, the adapter's own timeout applies, usually a second.
    _ = ioctl(bus.raw, Self.setTimeout, Self.timeout)
    return bus.raw
  }

  private func failure(_ errno: Int32) -> HardwareError {
    bus = Descriptor(-1)
    return switch errno {
    case ENXIO, EREMOTEIO, ETIMEDOUT, EIO: .noAnswer(bus: path, address: address)
    case EBUSY: .addressBusy(bus: path, address: address)
    case EACCES, EPERM: .forbidden(path: path, group: "i2c")
    case ENOENT, ENODEV: .gone("The I2C bus \(path)")
    default: .failed("Writing to \(path)", errno: errno)
    }
  }
}
