import CLinux
import System

/// The box's IP address, read again after the kernel reports a change (`rtnetlink(7)`). Control thread only.
final class OwnAddress {
  private let changes = Descriptor(bk_link_open())
  private var address: String?
  private var isKnown = false

  /// `watch`: adds a descriptor to the set that wakes the control thread.
  init(_ watch: (Int32) -> Void) {
    if changes.isOpen { watch(changes.raw) }
  }

  /// The address; nil without a network. Without reports of changes, reads the addresses each time.
  var current: String? {
    if !changes.isOpen || bk_link_changes(changes.raw) != 0 { isKnown = false }
    if !isKnown {
      address = NetworkAddress.own
      // A failed call has the same result as a missing network.
      isKnown = address != nil
    }
    return address
  }
}
