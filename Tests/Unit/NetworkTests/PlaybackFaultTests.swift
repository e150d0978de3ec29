import Blocks
import Testing

@testable import Http
@testable import Network

struct PlaybackFaultTests {
  @Test(
    "The cause decides the category",
    arguments: [
      (.error(.reset), .disconnected), (.error(.unreachable), .noNetwork), (.networkChanged, .silence),
      (.silence(seconds: 3), .silence), (.slept, .disconnected), (.closed, .disconnected),
      (.refused(hasCredentials: true), .notFound), (.noAudio, .notAudio), (.undecodable, .notAudio),
      (.notPlayed(.encryptedHls), .encryptedHls), (.notPlayed(.html), .webPage), (.feedInFeed, .notAudio),
      (.slowList, .slowPlaylist),
      (.endlessList, .badAnswer), (.emptyList, .badPlaylist), (.emptyFeed, .badPlaylist),
      (.fileChanged, .fileChanged), (.otherPart, .disconnected),
    ] as [(PlaybackFault.Detail, PlaybackFault.Cause)])
  func causes(_ detail: PlaybackFault.Detail, _ cause: PlaybackFault.Cause) {
    #expect(PlaybackFault(detail, url: "http://h/x", status: 404).cause == cause)
  }

  @Test("Undecodable audio has these words")
  func undecodable() {
    #expect(
      PlaybackFault(.undecodable, url: "http://h/x").sentence
        == "Nothing that http://h/x sends can be decoded: it may be encrypted; try another station.")
  }
}
