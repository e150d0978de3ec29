/// How a request is made.
enum HttpMethod: String, CaseIterable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"

  /// The method of a word; that of HEAD is GET.
  init?(_ word: String) { self.init(rawValue: word == "HEAD" ? "GET" : word) }

  /// Whether something may change by it.
  var isWrite: Bool { self != .get }
}
