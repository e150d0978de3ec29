import Testing
import Units

@testable import Http

/// Lifetime of a redirect by its headers (RFC 9111, 4.2.1).
struct CacheLifetimeTests {
  struct Case: Sendable {
    var status = 302
    var cacheControl: [String] = []
    /// Seconds from the response's date to `Expires`.
    var expires: Int64?
    var isExpiresInvalid = false
    var date: Int64? = 1_000_000
    var seconds: Double
  }

  static let cases = [
    Case(seconds: 60),
    Case(status: 307, seconds: 60),
    Case(status: 303, seconds: 60),
    Case(status: 301, seconds: 3_600),
    Case(status: 308, seconds: 3_600),
    Case(cacheControl: ["max-age=10"], seconds: 10),
    Case(cacheControl: ["private, Max-Age = \"15\""], seconds: 15),
    Case(status: 301, cacheControl: ["public,max-age=20"], seconds: 20),
    Case(cacheControl: ["max-age=99999999999"], seconds: 3_600),
    Case(cacheControl: ["max-age=999999999999999999999"], seconds: 0),
    Case(cacheControl: ["max-age"], seconds: 0),
    Case(cacheControl: ["no-store"], seconds: 0),
    Case(status: 301, cacheControl: ["no-cache"], seconds: 0),
    Case(cacheControl: ["max-age=30", "no-store"], seconds: 0),
    Case(cacheControl: ["public"], seconds: 60),
    Case(cacheControl: [""], seconds: 60),
    Case(expires: 40, seconds: 40),
    Case(expires: -40, seconds: 0),
    Case(expires: 40, date: nil, seconds: 60),
    Case(isExpiresInvalid: true, seconds: 0),
    Case(cacheControl: ["max-age=5"], expires: 40, seconds: 5),
  ]

  @Test("A redirect's lifetime follows its headers", arguments: cases)
  func lifetime(example: Case) {
    var lifetime = CacheLifetime()
    for value in example.cacheControl { lifetime.store(cacheControl: value) }
    if let expires = example.expires { lifetime.store(expires: 1_000_000 + expires) }
    if example.isExpiresInvalid { lifetime.store(expires: nil) }
    let duration = lifetime.redirectDuration(status: example.status, date: example.date)
    #expect(duration == Duration(seconds: example.seconds))
  }
}
