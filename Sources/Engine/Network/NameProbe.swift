import Glibc
import Synchronization
import System
import Units

/// Asks the system's resolver about one name at a time, on a thread of its own: whether a host exists is not told by
/// libcurl, for which a name server that does not answer is the same. The net thread's.
///
/// getaddrinfo(3) may take half a minute and cannot be called off, so its thread is left to itself: whoever asked does
/// not wait for it, also not at the end.
final class NameProbe {
  /// What became of a question.
  enum Answer: Int32 {
    /// There is such a host.
    case exists = 1
    /// A name server says that there is none.
    case absent = 2
    /// No name server said anything.
    case unanswered = 3
  }

  /// The question that is waited for, and until when.
  private var question: Question?
  private var deadline = MonotonicTime.never
  /// The one whose thread runs.
  private var running: Question?
  private let wake = SharedWakeFlag()

  /// A resolver that needs longer is as good as none.
  private static let patience = Duration(milliseconds: 10_000)

  /// What poll(2) can wait for; nil where nothing was asked.
  var descriptor: Int32? { question == nil || !wake.flag.isOpen ? nil : wake.flag.descriptor }

  /// When the answer counts as given, whatever comes; never where nothing was asked.
  var due: MonotonicTime { question == nil ? .never : deadline }

  /// Whether an answer is waited for.
  var isAsking: Bool { question != nil }

  /// Asks whether a host exists; its answer is taken by `answer(at:)`. Where an earlier question has found no answer
  /// yet, no name server answers this one either.
  func ask(_ host: String, at now: MonotonicTime) {
    deadline = now + Self.patience
    if running?.answer.load(ordering: .acquiring) == 0 {
      // Its answer is of another host.
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

  /// The answer, once there is one; nil before that, and where nothing was asked.
  func answer(at now: MonotonicTime) -> Answer? {
    guard let question else { return nil }
    // Before the look: what comes after it raises the flag again.
    wake.flag.clear()
    let answer = Answer(rawValue: question.answer.load(ordering: .acquiring)) ?? (now >= deadline ? .unanswered : nil)
    if answer != nil { forget() }
    return answer
  }

  /// Nobody wants to know it any more.
  func forget() { question = nil }
}

/// One name, and what the resolver said of it: 0 while it has said nothing.
private final class Question: Sendable {
  let host: String
  let answer = Atomic<Int32>(0)
  private let wake: SharedWakeFlag?

  /// `wake` is raised when something was said; nil: nobody waits for it.
  init(host: String, wake: SharedWakeFlag?) { (self.host, self.wake) = (host, wake) }

  /// Asks, and waits for it.
  func ask() {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &found)
    if let found { freeaddrinfo(found) }
    // EAI_NODATA and EAI_ADDRFAMILY are glibc's own: the name exists, without an address.
    let said: NameProbe.Answer =
      switch code {
      case 0: .exists
      case EAI_NONAME, -5, -9: .absent
      default: .unanswered
      }
    answer.store(said.rawValue, ordering: .releasing)
    wake?.flag.raise()
  }
}
