import Glibc

/// Waits for a descriptor.
enum DescriptorWait {
  /// Whether it can be read within so many milliseconds.
  static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&one, 1, milliseconds) == 1
  }
}
