import Glibc

/// What the kernel answers when something is asked that only a device can do, to what is none: ENOTTY, or what the
/// emulator of a processor says instead.
enum NoDevice {
  static let path = "/dev/null"

  static let answer: Int32 = {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    // I2C_SLAVE of linux/i2c-dev.h.
    return ioctl(descriptor, 0x0703, CInt(0x27)) < 0 ? errno : 0
  }()
}
