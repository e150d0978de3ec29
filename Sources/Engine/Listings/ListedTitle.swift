import Framing
import Glibc
import Units

/// What a list or a feed calls an item, as it may be shown: some call it by its address, which may hold secrets.
enum ListedTitle {
  /// The title of the item at `reference`, fit for a display; nil where there is none, or where it is what the item's
  /// address hides.
  static func shown(_ title: String?, of reference: String) -> String? {
    guard let title = title.map({ DisplayText.clean($0) }), !title.isEmpty else { return nil }
    let own = DisplayText.clean(reference)
    let (bareTitle, bareOwn) = (bare(title), bare(own))
    guard !(hides(own) && contains(bareTitle, bareOwn)), !(hides(title) && contains(bareOwn, bareTitle)) else {
      return nil
    }
    return StationAddress.redacting(title)
  }

  /// Whether it may be an address with a user or a query.
  private static func hides(_ text: String) -> Bool {
    text.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "@") }
  }

  /// Without blanks, which stand in an address as "%20".
  private static func bare(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 where byte != UInt8(ascii: " ") {
      bytes.append(byte)
      if bytes.suffix(3).elementsEqual("%20".utf8) { bytes.removeLast(3) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// In time that grows with both, whatever a list holds.
  private static func contains(_ text: String, _ part: String) -> Bool { !part.isEmpty && strstr(text, part) != nil }
}

extension ListEntry {
  /// Its title, without control characters and without the secrets of an address; nil where it has none.
  public var shownTitle: String? { ListedTitle.shown(title, of: reference) }
}

extension Episode {
  /// Its title, without control characters and without the secrets of an address; nil where it has none.
  public var shownTitle: String? { ListedTitle.shown(title, of: reference) }
}
