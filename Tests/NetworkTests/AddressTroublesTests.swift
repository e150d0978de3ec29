import Testing
import Units

@testable import Network

/// What is told of what goes wrong with an address.
struct AddressTroublesTests {
  private let here = AddressTroubles("http://me:secret@127.0.0.1:8000/live", host: "127.0.0.1", hasCredentials: false)
  private let owned = AddressTroubles("http://127.0.0.1/live", host: "127.0.0.1", hasCredentials: true)

  /// Everything that may go wrong.
  private var all: [Trouble] {
    [
      here.noNetwork, here.changedNetwork, here.silent(Duration(seconds: 3)), here.slept,
      here.broken(.failed(.reset)), here.broken(.complete), here.closed(.complete), here.noAudio, here.notPlayed(.hls),
      here.feedInFeed, here.tooSlow, here.endless, here.emptyList, here.emptyFeed, here.changedFile, here.wrongPart,
    ] + [400, 401, 403, 404, 407, 410, 500, 503].map { here.refusal($0) }
  }

  @Test("each is a sentence without the password, about the address")
  func sentences() {
    for trouble in all {
      #expect(trouble.message.hasSuffix(".") && !trouble.message.contains("secret"), "\(trouble)")
      #expect(trouble.url == "http://127.0.0.1:8000/live")
    }
  }

  @Test(
    "a refusal says what to do",
    arguments: [
      (400, PlaybackFault.forbidden, "check the address"), (401, .passwordNeeded, "--user"),
      (403, .forbidden, "ask the station"), (404, .notFound, "check the address"), (407, .passwordNeeded, "--user"),
      (410, .notFound, "check the address"), (503, .serverError, "try again later"),
    ])
  func refusals(status: Int, fault: PlaybackFault, advice: String) {
    let trouble = here.refusal(status)
    #expect(trouble.fault == fault && trouble.status == status && trouble.message.contains(advice))
    #expect(owned.refusal(401).message.contains("does not take the name and the password"))
  }

  @Test("a loopback address needs no network")
  func loopback() {
    for host in ["localhost", "127.0.0.1", "127.1", "::1", "[::1]"] {
      let troubles = AddressTroubles("http://x/", host: host, hasCredentials: false)
      #expect(troubles.hasWay)
      #expect(troubles.silent(Duration(seconds: 3.9)).message == "\(host) sent nothing for 3 s.")
      #expect(troubles.error(.reset).fault == .disconnected)
    }
  }
}
