import Units

/// One request of a transfer: the first, or one that a redirect led to.
struct Hop {
  /// How it is asked.
  let request: HttpRequest
  /// What it asks for, with the query that the request adds.
  let address: WebAddress
  /// Redirects before it.
  private(set) var number = 0

  /// The most redirects in a transfer.
  static let mostRedirects = 10

  /// The first request.
  ///
  /// - Throws: As for `WebAddress`, and what `Reach.check` refuses.
  init(_ request: HttpRequest) throws(NetworkError) {
    let plain = try WebAddress(request.url, allowsFile: request.allowsLocalFile)
    let address = plain.isFile ? plain : try plain.adding(query: request.query)
    try request.reach.check(address)
    (self.request, self.address) = (request, address)
  }

  private init(_ request: HttpRequest, _ address: WebAddress, number: Int) {
    (self.request, self.address, self.number) = (request, address, number)
  }

  /// The request that a redirect asks for. The listener's name, password and headers go with it only where
  /// `WebAddress.mayShareSecrets` allows that, and do not come back after a detour.
  ///
  /// - Parameters:
  ///   - location: The value of the header `Location`.
  ///   - home: Where the host of this request was found; nil where that is not known.
  /// - Throws: `tooManyRedirects`, `badRedirect`, `badScheme`, and what `Reach.check` refuses.
  func next(to location: StationAddress, home: AddressRange?) throws(NetworkError) -> Hop {
    guard number < Self.mostRedirects else { throw .tooManyRedirects }
    let found: WebAddress
    do throws(NetworkError) {
      found = try address.resolve(location)
    } catch {
      throw error == .badURL ? .badRedirect : error
    }
    if let domain = request.redirectDomain {
      guard found.scheme == "https", found.host.hasSuffix("." + domain) else { throw .badRedirect }
    }
    var next = request
    // The address of the redirect has the query that it is to have.
    next.query = []
    if address.mayShareSecrets(with: found) {
      next.credentials = address.credentials ?? request.credentials
    } else {
      (next.credentials, next.headers) = (nil, [])
      (next.knownTag, next.knownDate) = (nil, nil)
    }
    next.reach = request.reach.behind(address, home: home)
    try next.reach.check(found)
    return Hop(next, found, number: number + 1)
  }
}

extension WebAddress {
  /// Whether what was given for this address may be sent to another one: the same scheme, host and port, or https in
  /// place of http where neither names a port of its own.
  func mayShareSecrets(with other: WebAddress) -> Bool {
    guard host == other.host else { return false }
    let isUpgrade = (scheme, port, other.scheme, other.port) == ("http", 80, "https", 443)
    return isUpgrade || (scheme, port) == (other.scheme, other.port)
  }
}
