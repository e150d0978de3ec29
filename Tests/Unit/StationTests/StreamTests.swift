import Foundation
import Station
import Testing
import Units

@Suite("Audio for listeners", .timeLimit(.minutes(1)))
struct StreamTests {
  static let frames = Frames.mp3(250)
  let file = Self.frames

  @Test("The burst arrives at once from a frame border, the rest in real time")
  func burstAndPace() throws {
    let mount = try Mount(name: "a.mp3", file: file)
    try withStation([mount], { $0.burst = ByteCount(200_000) }) { server in
      let client = try Client(port: server.port)
      let began = ContinuousClock.now
      _ = try client.get("/a.mp3")
      let burst = client.read(199_680)  // 208 whole frames, 5 s of sound
      let burstTook = ContinuousClock.now - began
      #expect(burstTook < .seconds(4), "a burst of 5 s of sound does not take 5 s")
      let rest = client.read(48_000)  // 50 frames of 24 ms
      #expect(ContinuousClock.now - began >= .milliseconds(1200 - 24 - 24))
      #expect(startOfHearing(burst + rest, in: file, frame: 960) != nil)
    }
  }

  @Test("The first listener of a new station gets the beginning")
  func beginning() throws {
    let file = Frames.mp3(1000)
    try withStation([try Mount(name: "a.mp3", file: file)]) { server in
      let client = try Client(port: server.port)
      _ = try client.get("/a.mp3")
      let start = startOfHearing(client.read(9600), in: file, frame: 960)
      #expect(try #require(start) < 480_000, "within 12 s of the start, however slow the machine")
    }
  }

  @Test("The loop's seam is a frame border like any other", arguments: [2, 3, 7])
  func seam(frames: Int) throws {
    let file = Frames.mp3(frames)
    try withStation([try Mount(name: "a.mp3", file: file)]) { server in
      let client = try Client(port: server.port)
      _ = try client.get("/a.mp3")
      #expect(startOfHearing(client.read(60_000), in: file, frame: 960) != nil)
    }
  }

  @Test("All listeners share one live position")
  func shared() throws {
    try withStation([try Mount(name: "a.mp3", file: file)], { $0.burst = .zero }) { server in
      let (first, second) = (try Client(port: server.port), try Client(port: server.port))
      let began = ContinuousClock.now
      _ = try first.get("/a.mp3")
      let heard = first.read(4800)
      let start = try #require(startOfHearing(heard, in: file, frame: 960))
      _ = try second.get("/a.mp3")
      let joined = try #require(startOfHearing(second.read(4800), in: file, frame: 960))
      let ahead = (joined - start + file.count) % file.count
      let passed = (ContinuousClock.now - began) / .milliseconds(24)
      #expect(ahead >= 4800, "what the first has heard is over")
      #expect(Double(ahead / 960) <= passed + 1, "what has not sounded yet is not sent")
    }
  }

  @Test(
    "Titles are in the first metadata block after their time, and the audio around is intact",
    arguments: [
      100, 997, 16_000,
    ])
  func titles(interval: Int) throws {
    let file = Frames.mp3(40)
    let cues = [
      TitleCue(at: .zero, title: "One"), TitleCue(at: StreamTime(seconds: 0.24), title: "L'été"),
      TitleCue(at: StreamTime(seconds: 0.49), title: String(repeating: "long ", count: 1000)),
      TitleCue(at: StreamTime(seconds: 1000), title: "never"),
    ]
    let mount = try Mount(name: "a.mp3", file: file, titles: cues)
    let change = { (options: inout StationOptions) in
      (options.burst, options.metadataInterval) = (ByteCount(120_000), ByteCount(interval))
    }
    try withStation([mount], change) { server in
      let client = try Client(port: server.port)
      let head = try client.get("/a.mp3", headers: "Icy-MetaData: 1\r\n")
      #expect(head.headers["icy-metaint"] == String(interval))
      var (audio, blocks): ([UInt8], [(at: Int, text: [UInt8])]) = ([], [])
      while audio.count + interval <= 118_000 {
        audio += client.read(interval)
        let length = try #require(client.read(1).first)
        blocks.append((audio.count, client.read(Int(length) * 16)))
      }
      let start = try #require(startOfHearing(audio, in: file, frame: 960))
      var told: String?
      for block in blocks {
        let frame = (start + block.at) % file.count / 960
        let due = frame < 10 ? "One" : frame < 21 ? "L'été" : "long"
        let text = String(decoding: block.text.prefix { $0 != 0 }, as: UTF8.self)
        if due == told {
          #expect(text.isEmpty)
        } else if due == "long" {
          #expect(text.hasPrefix("StreamTitle='long long") && text.hasSuffix("';") && block.text.count == 4080)
        } else {
          #expect(text == "StreamTitle='\(due)';")
        }
        told = due
      }
      #expect(blocks.count > 3)
    }
  }

  @Test("A file's tags, Xing frame and garbage are not sent", arguments: ["Xing", "Info"])
  func tags(marker: String) throws {
    let frames = Frames.mp3(20)
    let garbage = Array("ÿnoise between the frames".utf8)
    let id3v1 = Array("TAG".utf8) + Array(repeating: 0x20, count: 125)
    let parts = [
      Frames.id3, Frames.info(marker), Array(frames[..<9600]), garbage, Array(frames[9600...]), id3v1,
    ]
    let mount = try Mount(name: "a.mp3", file: parts.flatMap { $0 })
    #expect(mount.duration == StreamTime(seconds: 0.48))
    try withStation([mount]) { server in
      let client = try Client(port: server.port)
      _ = try client.get("/a.mp3")
      #expect(startOfHearing(client.read(60_000), in: frames, frame: 960) != nil)
    }
  }

  @Test("A listener who falls too far behind is dropped, the others continue")
  func slow() throws {
    let file = Frames.fastAAC(50)
    let mount = try Mount(name: "a.aac", file: file)
    let change = { (options: inout StationOptions) in (options.burst, options.maximumLag) = (.kibi(16), .kibi(32)) }
    try withStation([mount], change) { server in
      let slow = try Client(port: server.port, receiveBuffer: 8192)
      _ = try slow.get("/a.aac")
      let quick = try Client(port: server.port)
      _ = try quick.get("/a.aac")
      #expect(startOfHearing(quick.read(1_500_000), in: file, frame: 8000) != nil)
      #expect(slow.readToEnd() != nil)
    }
  }

  @Test("stop() from another thread disconnects all listeners")
  func stop() throws {
    var client: Client?
    try withStation([try Mount(name: "a.mp3", file: file)]) { server in
      client = try Client(port: server.port)
      _ = try client?.get("/a.mp3")
    }
    #expect(client?.readToEnd() != nil)
  }

  @Test("A step ends in time without events, and a stopped station does not start")
  func step() throws {
    let server = try StationServer(mounts: [try Mount(name: "a.mp3", file: file)])
    #expect(try server.step(timeout: Duration(milliseconds: 1)))
    server.stop()
    #expect(try !server.step())
    try server.run()
  }
}
