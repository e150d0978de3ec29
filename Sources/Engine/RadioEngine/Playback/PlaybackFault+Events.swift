import Network

extension PlaybackFault {
  var events: [Event] {
    let message = sentence
    switch category {
    case .httpError:
      let isMissing = status == 404 || status == 410
      return [.httpError(code: status, url: url)] + (isMissing ? [.missingContent(url: url, message: message)] : [])
    case .missingContent: return [.missingContent(url: url, message: message)]
    case .badContent: return [.badContent(url: url, message: message)]
    case .urlNotFound: return [.urlNotFound(url: url, message: message)]
    case .timeoutExceeded: return [.timeoutExceeded(url: url, message: message)]
    case .noNetwork: return [.noNetwork(url: url, message: message)]
    }
  }
}
