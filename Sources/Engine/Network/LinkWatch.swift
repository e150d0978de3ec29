import CLinux
import System
import Units

/// What happened to the machine's links, addresses and routes.
struct LinkChanges: OptionSet {
  let rawValue: Int32

  /// One came.
  static let gained = LinkChanges(rawValue: 1)
  /// One went.
  static let lost = LinkChanges(rawValue: 2)
}

/// Hears from the kernel when links, addresses and routes come and go (rtnetlink(7)), and sees when name servers do.
final class LinkWatch {
  private var resolver = ResolverWatch()
  private let socket = Descriptor(bk_link_open())

  /// What poll(2) can wait for; nil where the kernel tells nothing.
  var descriptor: Int32? { socket.isOpen ? socket.raw : nil }

  /// What happened since it was last asked; other name servers are a network that came.
  func changes(at now: MonotonicTime) -> LinkChanges {
    let changes = LinkChanges(rawValue: descriptor.map { bk_link_changes($0) } ?? 0)
    let isResolved = resolver.hasChanged(at: now)
    return isResolved ? changes.union(.gained) : changes
  }
}
