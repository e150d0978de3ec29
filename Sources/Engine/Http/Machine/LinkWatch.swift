import CLinux
import System
import Units

/// Changes of the machine's links, addresses, routes and name servers since the last check.
package struct LinkChanges: OptionSet {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let gained = LinkChanges(rawValue: 1)
  package static let lost = LinkChanges(rawValue: 2)
}

/// Watches links, addresses and routes by rtnetlink(7), and the name servers by `ResolverWatch`.
package final class LinkWatch {
  private var resolver = ResolverWatch()
  private let socket = Descriptor(bk_link_open())

  package init() {}

  /// Descriptor for poll(2); nil if the kernel refused the socket.
  package var descriptor: Int32? { socket.isOpen ? socket.raw : nil }

  /// Returns the changes since the last call. Changed name servers count as `gained`.
  package func changes(at now: MonotonicTime) -> LinkChanges {
    let changes = LinkChanges(rawValue: descriptor.map { bk_link_changes($0) } ?? 0)
    let isResolved = resolver.hasChanged(at: now)
    return isResolved ? changes.union(.gained) : changes
  }
}
