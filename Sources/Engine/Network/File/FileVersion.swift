import Http

/// The version of a file on its server, according to the first response head. A value.
struct FileVersion: Equatable {
  private let etag: String?
  private let lastModified: String?
  /// An unknown content coding of the first response, which is ignored because the body is audio.
  private let coding: String?
  /// Length in bytes; nil if unknown.
  let byteCount: Int?

  init(_ head: HttpHead) {
    (etag, lastModified, coding) = (head.etag, head.lastModified, head.coding)
    let total = head.contentRangeTotal ?? (head.contentRangeStart == nil ? head.contentLength : nil)
    byteCount = total.flatMap { Int(exactly: $0) }
  }

  /// Value for `If-Range`, to receive parts of the same version (RFC 9110, 13.1.5). Weak tags are unsuitable.
  var validator: String? { etag.flatMap { $0.hasPrefix("W/") ? nil : $0 } ?? lastModified }

  func differs(from head: HttpHead) -> Bool {
    func differ(_ one: String?, _ other: String?) -> Bool { one != nil && other != nil && one != other }
    if differ(etag, head.etag) || (etag == nil && differ(lastModified, head.lastModified)) { return true }
    let told = head.contentRangeTotal ?? (head.isPartial ? nil : head.contentLength)
    return byteCount != nil && told != nil && told.flatMap { Int(exactly: $0) } != byteCount
  }

  /// True if the content coding may change the bytes of the file.
  func isCoded(_ head: HttpHead) -> Bool { head.coding != nil && head.coding != coding }

  func isPart(_ head: HttpHead, from byte: Int64) -> Bool {
    head.status == 206 && head.contentRangeStart == byte && !differs(from: head) && !isCoded(head)
  }
}

extension HttpHead {
  var isPartial: Bool { status == 206 || contentRangeStart != nil }
}
