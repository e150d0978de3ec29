import Blocks
import Framing
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

  @Test("Each format has its own cause, except formats without audio")
  func formats() {
    let kinds: [RefusedKind] = [
      .encryptedHls, .xheAac, .dolby, .alac, .otherCodec, .dash, .m4a, .wma, .wav, .musepack, .dsd, .webm, .html,
    ]
    let causes = kinds.map { PlaybackFault.Cause($0) }
    #expect(
      causes == [
        .encryptedHls, .xheAac, .dolby, .alac, .otherCodec, .dash, .mp4, .windowsMedia, .wav, .musepack, .dsd,
        .webm, .webPage,
      ])
    let others: [RefusedKind] = [.compressed, .archive, .image, .pdf]
    #expect(others.allSatisfy { PlaybackFault.Cause($0) == .notAudio })
  }

  @Test("Undecodable audio has these words")
  func undecodable() {
    #expect(
      PlaybackFault(.undecodable, url: "http://h/x").sentence
        == "Nothing that http://h/x sends can be decoded: it may be encrypted; try another station.")
  }
}
