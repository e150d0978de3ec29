import Units

/// The last request of a transfer with redirects, without the secrets that they removed.
package struct FollowedRedirect: Sendable {
  /// The request, for the address that the redirects reached.
  package let request: HttpRequest
  /// Time for which all redirects may be reused.
  package let lifetime: Duration
}
