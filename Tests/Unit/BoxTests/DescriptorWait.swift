import Glibc

enum DescriptorWait {
  /// True if the descriptor becomes readable in time.
  static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&one, 1, milliseconds) == 1
  }
}
