enum HttpMethod: String, CaseIterable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"

  /// The method for a word; HEAD counts as GET.
  init?(_ word: String) { self.init(rawValue: word == "HEAD" ? "GET" : word) }

  var isWrite: Bool { self != .get }
}
