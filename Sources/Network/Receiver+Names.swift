import Blocks
import Units

// A name that leads nowhere (R4.3): a host that does not exist ends the tries, a name server that is silent does not.

extension Receiver {
  /// Asks whether the host exists that a connection was to go to, before anything of the station was heard.
  func askName(of reception: Reception) {
    let host = reception.transfer?.failedHost ?? host
    leave(reception)
    current = nil
    names.ask(host, at: now)
  }

  /// Goes on once it is known.
  func attendNames() {
    guard let answer = names.answer(at: now) else { return }
    let url = candidates?.current.address.url ?? request.url
    let error = answer == .absent ? NetworkError.hostNotFound : .nameServer
    failed(nil, trouble(error, url), mayPass: error.isWorthRetrying)
  }
}
