import Foundation
import Testing

@testable import Network

struct StationRequestTests {
  @Test(
    "A path is a file's address, absolute and percent-encoded",
    arguments: [
      ("/nowhere/a.mp3", "file:///nowhere/a.mp3"), ("/nowhere/50% ä?#.mp3", "file:///nowhere/50%25%20%C3%A4%3F%23.mp3"),
      ("/etc/../etc/./passwd", "file:///etc/passwd"),
      (
        "nowhere.mp3",
        "file://\(FileManager.default.currentDirectoryPath)/nowhere.mp3"
      ),
    ])
  func ofPath(_ path: String, _ address: String) throws {
    let request = StationRequest(path: path)
    #expect(request.url.unredacted == address && request.mode == .automatic)
  }
}
