import Units

/// One request of a transfer: the first, or one after a redirect.
struct TransferRequest {
  let request: HttpRequest
  let address: WebAddress
  private(set) var number = 0
  /// The addresses requested since the last cookie, which a redirect must not name again.
  private var visited: Set<WebAddress>

  /// Podcasts have up to twelve, one for each company that counts listeners.
  static let maxRedirects = 20

  /// Throws the errors of `WebAddress` and `AddressPolicy.check`.
  init(_ request: HttpRequest) throws(NetworkError) {
    let plain = try WebAddress(request.url, allowsFile: request.allowsLocalFile)
    let address = plain.isFile ? plain : try plain.adding(query: request.query)
    try request.reach.check(address)
    (self.request, self.address) = (request, address)
    visited = [address]
  }

  private init(_ request: HttpRequest, _ address: WebAddress, number: Int, visited: Set<WebAddress>) {
    (self.request, self.address, self.number) = (request, address, number)
    self.visited = visited
  }

  /// Returns the request for a redirect. Name, password and headers are sent only if `WebAddress.mayShareSecrets`
  /// allows, and do not return after a detour. `home`: address range of this request's host; nil if unknown.
  /// `hasCookie`: true if the response sets a cookie, with which the same address may respond differently.
  ///
  /// - Throws: `tooManyRedirects` also for a loop, `badRedirect`, `badScheme`, `signIn`, and the errors of
  ///   `AddressPolicy.check`.
  func next(
    to location: StationAddress, home: AddressRange?, hasCookie: Bool = false
  ) throws(NetworkError) -> TransferRequest {
    guard number < Self.maxRedirects else { throw .tooManyRedirects }
    let found: WebAddress
    do throws(NetworkError) {
      found = try address.resolve(location)
    } catch {
      throw error == .badURL ? .badRedirect : error
    }
    if let domain = request.redirectDomain {
      guard found.scheme == "https", found.host.hasSuffix("." + domain) else { throw .badRedirect }
    }
    let earlier: Set<WebAddress> = hasCookie ? [] : visited
    guard !earlier.contains(found) else { throw .tooManyRedirects }
    var next = request
    // The address of the redirect already contains its query.
    next.query = []
    if address.mayShareSecrets(with: found) {
      next.credentials = address.credentials ?? request.credentials
    } else {
      (next.credentials, next.headers) = (nil, [])
      (next.knownTag, next.knownDate) = (nil, nil)
    }
    next.reach = request.reach.policyAfter(address, home: home)
    do throws(NetworkError) {
      try next.reach.check(found)
    } catch {
      throw SignInPage.matches(found) ? .signIn : error
    }
    return TransferRequest(next, found, number: number + 1, visited: earlier.union([found]))
  }
}

extension WebAddress {
  /// True if secrets may be sent to `other`: with equal scheme, host and port, or from http on port 80 to https on 443.
  package func mayShareSecrets(with other: WebAddress) -> Bool {
    guard host == other.host else { return false }
    let isUpgrade = (scheme, port, other.scheme, other.port) == ("http", 80, "https", 443)
    return isUpgrade || (scheme, port) == (other.scheme, other.port)
  }
}
