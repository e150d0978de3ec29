import Testing
import Units

@testable import Network

/// Evidence for a file that its server did not announce as a file (R1.5).
@Suite struct FileEvidenceTests {
  /// A response: its headers, its bytes, the seconds of audio, and the seconds of transfer.
  struct Answer: Sendable {
    var isLengthKnown = true
    var isChunked = false
    var isIcy = false
    var mayBeItem = false
    var bytes: [UInt8] = [1, 2, 3]
    var sound: Double
    var time: Double
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var answers: [Answer]
    /// Index of the response that ends as a file; nil if all end otherwise.
    var end: Int?
  }

  static let rows = [
    Row(testDescription: "a song at once", answers: [Answer(sound: 200, time: 0.1)], end: 0),
    Row(testDescription: "a second of sound in one read", answers: [Answer(sound: 1, time: 0)], end: 0),
    Row(testDescription: "an hour over a line a little faster", answers: [Answer(sound: 3_600, time: 3_500)], end: 0),
    Row(
      testDescription: "a station with a burst and a length",
      answers: [Answer(sound: 300, time: 280), Answer(bytes: [4], sound: 300, time: 280)], end: nil),
    Row(
      testDescription: "a short station with a burst and a length",
      answers: [Answer(sound: 60, time: 40), Answer(bytes: [4], sound: 60, time: 40)], end: nil),
    Row(
      testDescription: "the same at the pace of its sound, twice",
      answers: [Answer(sound: 60, time: 60), Answer(sound: 60, time: 60)], end: 1),
    Row(
      testDescription: "as many bytes, but others",
      answers: [
        Answer(sound: 60, time: 60), Answer(bytes: [3, 2, 1], sound: 60, time: 60),
        Answer(bytes: [3, 2, 1], sound: 60, time: 60),
      ], end: nil),
    Row(
      testDescription: "a station's headers",
      answers: [Answer(isIcy: true, sound: 60, time: 0), Answer(isIcy: true, sound: 60, time: 0)], end: nil),
    Row(
      testDescription: "neither a length nor chunks",
      answers: [Answer(isLengthKnown: false, sound: 60, time: 0), Answer(isLengthKnown: false, sound: 60, time: 0)],
      end: nil),
    Row(
      testDescription: "chunks, once fast and then the same again",
      answers: [
        Answer(isLengthKnown: false, isChunked: true, sound: 60, time: 0),
        Answer(isLengthKnown: false, isChunked: true, sound: 60, time: 0),
      ], end: 1),
    Row(
      testDescription: "an item in chunks, at once",
      answers: [Answer(isLengthKnown: false, isChunked: true, mayBeItem: true, sound: 8, time: 0)], end: 0),
    Row(
      testDescription: "an item that ends as its connection does, at once",
      answers: [Answer(isLengthKnown: false, mayBeItem: true, sound: 200, time: 3)], end: 0),
    Row(
      testDescription: "what may be an item, with a station's headers",
      answers: Array(
        repeating: Answer(isLengthKnown: false, isChunked: true, isIcy: true, mayBeItem: true, sound: 8, time: 0),
        count: 2
      ), end: nil),
    Row(
      testDescription: "what may be an item, at the pace of its sound, and never whole",
      answers: Array(repeating: Answer(isLengthKnown: false, mayBeItem: true, sound: 60, time: 55), count: 3),
      end: nil),
    Row(
      testDescription: "what may be an item, at the pace of its sound, and then at once",
      answers: [60, 0].map { Answer(isLengthKnown: false, mayBeItem: true, sound: 60, time: $0) }, end: nil),
    Row(
      testDescription: "what may be an item, twice in the same chunks",
      answers: Array(
        repeating: Answer(isLengthKnown: false, isChunked: true, mayBeItem: true, sound: 60, time: 60), count: 2),
      end: 1
    ),
    Row(
      testDescription: "a station that has moved to a file which says so",
      answers: [
        Answer(isLengthKnown: false, sound: 60, time: 60), Answer(sound: 9, time: 0), Answer(sound: 9, time: 0),
      ],
      end: nil),
  ]

  @Test(arguments: rows)
  func tells(row: Row) {
    var evidence = FileEvidence()
    let ends = row.answers.map { answer in
      var trace = ResponseTrace(
        isLengthKnown: answer.isLengthKnown, isChunked: answer.isChunked, isIcy: answer.isIcy,
        mayBeItem: answer.mayBeItem
      )
      evidence.record(trace)
      // The result does not depend on the sizes of the pieces.
      for byte in answer.bytes { trace.append([byte].span) }
      let time = Duration(seconds: answer.time)
      return evidence.isFile(trace, sound: StreamTime(seconds: answer.sound), in: time)
    }
    #expect(ends.firstIndex(of: true) == row.end)
  }
}

/// Time limit for unrecognised data (R1.12); needs no real time.
@Suite struct SenseClockTests {
  /// Time in seconds when recognition stops, with an unrecognised byte at each of `moments`; nil if it continues.
  private static func end(_ moments: [Double]) -> Double? {
    var clock = RecognitionTimer()
    for moment in moments {
      clock.record(packetByteCount: 0, textByteCount: 0, at: MonotonicTime(seconds: moment))
      if clock.isSpent { return moment }
    }
    return nil
  }

  @Test("Unknown data is refused after 10 s with bytes, without pauses over 5 s")
  func counts() {
    #expect(Self.end((0...100).map { Double($0) / 5 }) == 10)
    #expect(Self.end([100, 104, 108, 112, 116]) == 112)
    #expect(Self.end([0, 9, 18, 27]) == 18)
    #expect(Self.end([9.7, 9.8, 19.5, 19.6]) == nil, "a stall is silence, and not noise")
  }

  @Test("A packet, or 4 KiB of a tag, list or feed, resets the time")
  func begins() {
    var clock = RecognitionTimer()
    for second in 0...30 {
      clock.record(packetByteCount: second / 9 * 400, textByteCount: 0, at: MonotonicTime(seconds: Double(second)))
      #expect(!clock.isSpent)
    }
    for second in 31...60 {
      clock.record(
        packetByteCount: 1_200, textByteCount: (second - 30) * 600, at: MonotonicTime(seconds: Double(second)))
      #expect(!clock.isSpent)
    }
    for second in 61...72 {
      clock.record(
        packetByteCount: 1_200, textByteCount: 18_000 + (second - 60) * 200, at: MonotonicTime(seconds: Double(second)))
    }
    #expect(clock.isSpent, "too little of it comes")
  }

  @Test("Our pauses, and content that needs no recognition, do not count")
  func pauses() {
    var clock = RecognitionTimer()
    for second in 0...40 {
      clock.record(packetByteCount: 0, textByteCount: 0, at: MonotonicTime(seconds: Double(second)))
      clock.pause()
    }
    #expect(!clock.isSpent)
    for second in 41...60 {
      clock.record(packetByteCount: 0, textByteCount: 0, at: MonotonicTime(seconds: Double(second)))
      if second % 8 == 0 { clock.restart() }
    }
    #expect(!clock.isSpent)
  }
}
