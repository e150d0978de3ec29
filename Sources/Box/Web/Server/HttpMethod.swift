enum HttpMethod: String, CaseIterable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"

  /// Converts a method's name; HEAD becomes GET, an unknown name nil.
  init?(_ word: String) { self.init(rawValue: word == "HEAD" ? "GET" : word) }

  var isWrite: Bool { self != .get }
}
