import Glibc

/// The error of a device request to a file that is not a device: ENOTTY, or another code in a processor emulator.
enum NoDevice {
  static let path = "/dev/null"

  static let answer: Int32 = {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    // I2C_SLAVE of linux/i2c-dev.h.
    return ioctl(descriptor, 0x0703, CInt(0x27)) < 0 ? errno : 0
  }()
}
