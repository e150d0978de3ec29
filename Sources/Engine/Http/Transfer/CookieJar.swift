import CCurl

/// The cookies of a programme, in memory (RFC 6265; `libcurl-share(3)`). libcurl decides which request receives a
/// cookie. Engine thread only.
final class CookieJar {
  /// Maximum number of cookies. The newest remain.
  static let maxCount = 32

  private let share: UnsafeMutableRawPointer
  /// A handle that makes no request.
  private let easy: UnsafeMutableRawPointer
  private var known: [String] = []
  private var isChanged = false

  /// Creates an empty jar; nil without memory.
  init?() {
    guard let share = curl_share_init() else { return nil }
    guard let easy = curl_easy_init() else {
      curl_share_cleanup(share)
      return nil
    }
    (self.share, self.easy) = (share, easy)
    _ = curl_share_setopt_data(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE)
    attach(to: easy)
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_share_cleanup(share)
  }

  /// Uses the jar for the requests of `easy`, which the jar must outlive.
  func attach(to easy: UnsafeMutableRawPointer) {
    _ = curl_easy_setopt_pointer(easy, CURLOPT_SHARE, share)
    // An empty name enables cookies without a file.
    _ = curl_easy_setopt_string(easy, CURLOPT_COOKIEFILE, "")
  }

  /// Notes that a response has set a cookie.
  func noteChange() { isChanged = true }

  /// Removes cookies above the limit. Call outside libcurl's callbacks.
  func trim() {
    guard isChanged else { return }
    isChanged = false
    let current = cookies
    let remaining = Self.newest(of: current, after: known)
    known = remaining
    guard remaining.count < current.count else { return }
    _ = curl_easy_setopt_string(easy, CURLOPT_COOKIELIST, "ALL")
    for cookie in remaining { _ = curl_easy_setopt_string(easy, CURLOPT_COOKIELIST, cookie) }
  }

  /// Returns at most `maxCount` cookies of `current`, first those that are not in `known`.
  static func newest(of current: [String], after known: [String]) -> [String] {
    guard current.count > maxCount else { return current }
    let old = Set(known)
    return Array((current.filter { !old.contains($0) } + current.filter { old.contains($0) }).prefix(maxCount))
  }

  /// All cookies, one line each, with their secrets (`CURLINFO_COOKIELIST`).
  var cookies: [String] {
    var list: UnsafeMutablePointer<curl_slist>?
    guard curl_easy_getinfo_list(easy, CURLINFO_COOKIELIST, &list) == CURLE_OK else { return [] }
    defer { curl_slist_free_all(list) }
    var lines: [String] = []
    var next = list
    while let item = next {
      if let line = item.pointee.data { lines.append(String(cString: line)) }
      next = item.pointee.next
    }
    return lines
  }
}

extension CookieJar: CustomReflectable {
  /// Empty, so that `dump` shows no cookie.
  var customMirror: Mirror { Mirror(self, children: []) }
}
