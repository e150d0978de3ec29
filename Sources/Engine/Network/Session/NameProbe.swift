import Glibc
import Http
import Synchronization
import System
import Units

/// Asks the system's resolver if a host exists, one name at a time: libcurl does not distinguish an unknown host from
/// silent name servers. Net thread only. getaddrinfo(3) may block for half a minute and cannot be cancelled, so its own
/// thread is never joined.
final class NameProbe {
  enum Answer: Int32 {
    case exists = 1
    /// A name server replied that the host does not exist or has no address.
    case absent = 2
    case unanswered = 3
    /// The name servers deny all names.
    case denied = 4
  }

  private var question: Question?
  private var deadline = MonotonicTime.never
  private var running: Question?
  private let wake = SharedWakeFlag()

  private static let patience = Duration(milliseconds: 10_000)

  var descriptor: Int32? { question == nil || !wake.flag.isOpen ? nil : wake.flag.descriptor }

  /// Time when the pending question counts as unanswered; `.never` without a question.
  var due: MonotonicTime { question == nil ? .never : deadline }

  var isAsking: Bool { question != nil }

  /// Starts a lookup for `answer(at:)`. If the previous lookup still runs, the new question counts as unanswered.
  func ask(_ host: String, at now: MonotonicTime) {
    deadline = now + Self.patience
    if running?.answer.load(ordering: .acquiring) == 0 {
      (question, deadline) = (Question(host: host, wake: nil), now)
      return
    }
    let asked = Question(host: host, wake: wake)
    question = asked
    if OwnedThread.detach("names", { asked.ask() }) {
      running = asked
    } else {
      deadline = now
    }
  }

  /// Returns the answer and ends the question; nil while the lookup runs or without a question.
  func answer(at now: MonotonicTime) -> Answer? {
    guard let question else { return nil }
    // Clear the flag first: an answer after the check raises the flag again.
    wake.flag.clear()
    let answer = Answer(rawValue: question.answer.load(ordering: .acquiring)) ?? (now >= deadline ? .unanswered : nil)
    if answer != nil { cancel() }
    return answer
  }

  func cancel() { question = nil }
}

/// A name to look up, and the raw value of its answer; 0 while the lookup runs.
private final class Question: Sendable {
  let host: String
  let answer = Atomic<Int32>(0)
  private let wake: SharedWakeFlag?

  init(host: String, wake: SharedWakeFlag?) { (self.host, self.wake) = (host, wake) }

  /// Blocks until the resolver returns.
  func ask() {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &found)
    if let found { freeaddrinfo(found) }
    // EAI_NODATA and EAI_ADDRFAMILY exist only in glibc: the name exists, but without an address.
    let said: NameProbe.Answer =
      switch code {
      case 0: .exists
      case EAI_NONAME, -5, -9: NameServers.denyAllNames() ? .denied : .absent
      default: .unanswered
      }
    answer.store(said.rawValue, ordering: .releasing)
    wake?.flag.raise()
  }
}
