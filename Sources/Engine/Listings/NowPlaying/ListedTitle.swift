import Framing
import Glibc
import Units

/// Makes titles safe for display: a title may repeat its item's address, which may contain secrets.
enum ListedTitle {
  /// Returns the title for display; nil if absent, or if it reveals hidden parts of the item's address.
  static func shown(_ title: String?, of reference: String) -> String? {
    guard let title = title.map({ DisplayText.clean($0) }), !title.isEmpty else { return nil }
    let own = DisplayText.clean(reference)
    let (bareTitle, bareOwn) = (bare(title), bare(own))
    guard !(hides(own) && contains(bareTitle, bareOwn)), !(hides(title) && contains(bareOwn, bareTitle)) else {
      return nil
    }
    return StationAddress.redacting(title)
  }

  /// True if the text may be an address with a user name or a query.
  private static func hides(_ text: String) -> Bool {
    text.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "@") }
  }

  /// Returns the text without blanks and without "%20", their form in an address.
  private static func bare(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 where byte != UInt8(ascii: " ") {
      bytes.append(byte)
      if bytes.suffix(3).elementsEqual("%20".utf8) { bytes.removeLast(3) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Uses strstr(3), which needs linear time for any content.
  private static func contains(_ text: String, _ part: String) -> Bool { !part.isEmpty && strstr(text, part) != nil }
}

extension ListEntry {
  /// The title, without control characters and without secrets from an address; nil if absent or secret.
  public var shownTitle: String? { ListedTitle.shown(title, of: reference) }
}

extension Episode {
  /// The title, without control characters and without secrets from an address; nil if absent or secret.
  public var shownTitle: String? { ListedTitle.shown(title, of: reference) }
}
