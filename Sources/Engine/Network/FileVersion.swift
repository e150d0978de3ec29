/// Which version of a file a server has, as the head of its first answer says. A value.
struct FileVersion: Equatable {
  private let etag: String?
  private let lastModified: String?
  /// How its bytes were coded, in a way that nobody knows and that changed nothing: they are audio.
  private let coding: String?
  /// Its length in bytes; nil where that was not told.
  let byteCount: Int?

  /// The version of which the answer with this head is, or is a part.
  init(_ head: HttpHead) {
    (etag, lastModified, coding) = (head.etag, head.lastModified, head.coding)
    let total = head.contentRangeTotal ?? (head.contentRangeStart == nil ? head.contentLength : nil)
    byteCount = total.flatMap { Int(exactly: $0) }
  }

  /// What makes sure that the rest is of the same version (RFC 9110, 13.1.5): a weak tag does not.
  var validator: String? { etag.flatMap { $0.hasPrefix("W/") ? nil : $0 } ?? lastModified }

  /// Whether an answer is of another version than this.
  func differs(from head: HttpHead) -> Bool {
    func differ(_ one: String?, _ other: String?) -> Bool { one != nil && other != nil && one != other }
    if differ(etag, head.etag) || (etag == nil && differ(lastModified, head.lastModified)) { return true }
    let told = head.contentRangeTotal ?? (head.isPartial ? nil : head.contentLength)
    return byteCount != nil && told != nil && told.flatMap { Int(exactly: $0) } != byteCount
  }

  /// Whether an answer's bytes may be others than the file's.
  func isCoded(_ head: HttpHead) -> Bool { head.coding != nil && head.coding != coding }

  /// Whether an answer brings a part of it, from that byte on.
  func isPart(_ head: HttpHead, from byte: Int64) -> Bool {
    head.status == 206 && head.contentRangeStart == byte && !differs(from: head) && !isCoded(head)
  }
}

extension HttpHead {
  /// Whether it begins a part of a file.
  var isPartial: Bool { status == 206 || contentRangeStart != nil }
}
