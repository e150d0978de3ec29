import Testing

@testable import Network

/// The reaction to each response of a file: every pair of stage and end.
struct FileProgressTests {
  private typealias End = FileProgress.End

  enum Stage: CaseIterable {
    case head, probe, sample, lastSample, window
  }

  private func progress(_ stage: Stage) -> FileProgress {
    var progress = FileProgress(readsHead: stage != .window)
    switch stage {
    case .head, .window: break
    case .probe: progress.beginProbe(2_048)
    case .sample: _ = progress.nextSample()
    case .lastSample:
      _ = progress.nextSample()
      progress.endSampling()
    }
    return progress
  }

  /// The rules for a reaction, in order of priority.
  private func expected(_ stage: Stage, _ end: End) -> FileProgress.Reaction {
    let isSampling = stage == .probe || stage == .sample || stage == .lastSample
    let rules: [(Bool, FileProgress.Reaction)] = [
      (end.turn == .end, .finish), (end.turn == .changed, .giveUp(.changed)), (end.turn == .coded, .giveUp(.coded)),
      (isSampling, .openWindow), (end.verdict == .gone, .giveUp(.verdict)),
      (end.verdict == .badContent && end.isUnderWay, .giveUp(.verdict)), (end.verdict != nil, .retry(.verdict)),
      (end.close == .final, .giveUp(.broken)), (stage == .head && end.close == .passing, .retry(.broken)),
      (stage == .head, .endHead), (end.isWhole == true, .finish),
      (end.isWhole == nil && end.close == .complete, .finish), (true, .retry(.closed)),
    ]
    return rules.first { $0.0 }?.1 ?? .finish
  }

  /// The stage after an end: a sample without data is the last one.
  private func stageAfter(_ stage: Stage, _ end: End) -> Stage {
    let isLast = end.turn == .unsampled || end.turn == nil && end.verdict != nil
    return (stage == .sample || stage == .probe) && isLast ? .lastSample : stage
  }

  /// The row in the table for a stage. A new stage needs a row.
  private func row(of stage: FileProgress.Stage) -> Stage {
    switch stage {
    case .head: .head
    case .probe: .probe
    case .sample(let number): number < FileProgress.maxSamples ? .sample : .lastSample
    case .window: .window
    }
  }

  @Test("The table covers each stage", arguments: Stage.allCases)
  func rows(stage: Stage) { #expect(row(of: progress(stage).stage) == stage) }

  @Test("Each end has its reaction in each stage", arguments: Stage.allCases)
  func table(stage: Stage) {
    for turn in [nil] + FileProgress.Turn.allCases.map({ $0 as FileProgress.Turn? }) {
      for verdict in [nil] + End.Verdict.allCases.map({ $0 as End.Verdict? }) {
        for close in End.Close.allCases {
          for isWhole in [nil, false, true] as [Bool?] {
            for bits in 0..<8 {
              let end = End(
                turn: turn, verdict: verdict, close: close, isWhole: isWhole, isAnswered: bits & 1 != 0,
                hasNewBytes: bits & 2 != 0, isUnderWay: bits & 4 != 0)
              var progress = progress(stage)
              let reaction = progress.end(end)
              #expect(reaction == expected(stage, end), "\(end)")
              #expect(progress.stage == self.progress(stageAfter(stage, end)).stage, "\(end)")
            }
          }
        }
      }
    }
  }

  @Test("Three early ends without data mean the end of the file")
  func barren() {
    let early = End(close: .complete, isWhole: false, hasNewBytes: false)
    var progress = FileProgress(readsHead: false)
    func ends(_ ends: [End]) -> [FileProgress.Reaction] { ends.map { progress.end($0) } }
    // A failure without response does not concern the file.
    var unanswered = early
    unanswered.isAnswered = false
    let first = ends([early, early, unanswered])
    #expect(first == [.retry(.closed), .retry(.closed), .retry(.closed)] && progress.isBarren)
    progress.advance()
    #expect(!progress.isBarren)
    let second = ends([early, early, early])
    #expect(second == [.retry(.closed), .retry(.closed), .finishShort])
  }

  @Test("A probe requests its own bytes, and forgets early ends")
  func probes() {
    var progress = FileProgress(readsHead: false)
    _ = progress.end(End(close: .complete, isWhole: false, hasNewBytes: false))
    #expect(progress.isBarren)
    progress.beginProbe(2_048)
    #expect(progress.partByteCount == 2_048 && !progress.isBarren)
  }

  @Test("At most three positions are sampled, and none after giving up")
  func samples() {
    var progress = FileProgress(readsHead: true)
    #expect(progress.partByteCount == 8_192 && progress.isAtHead)
    let places = (0..<4).map { _ in progress.nextSample() }
    #expect(places == [1, 2, 3, nil])
    #expect(progress.partByteCount == 4_096 && progress.isSampling)
    progress.beginWindow()
    #expect(progress.partByteCount == nil && progress.isAtWindow)
    var left = FileProgress(readsHead: true)
    _ = left.nextSample()
    let (reaction, place) = (left.end(End(turn: .unsampled)), left.nextSample())
    #expect(reaction == .openWindow && place == nil)
  }

  @Test(
    "The next request follows from the head's content",
    arguments: FileProgress.Content.allCases, [false, true])
  func head(content: FileProgress.Content, hasTag: Bool) {
    for (isWhole, isWholeBehindTag) in [(false, false), (false, true), (true, true)] {
      var progress = FileProgress(readsHead: true)
      let reaction = progress.endHead(content, hasTag: hasTag, isWhole: isWhole, isWholeBehindTag: isWholeBehindTag)
      let expected: FileProgress.HeadReaction =
        switch content {
        case .list: isWhole ? .openList : .requestList
        case .refused: .refuse
        case .audio: isWholeBehindTag ? .openWindow : .requestMore
        case .unknown, .headers: isWholeBehindTag ? .noAudio : .requestMore
        }
      #expect(reaction == expected)
    }
  }

  @Test("A head's data counts only while it is read", arguments: [Stage.probe, .sample, .lastSample, .window])
  func noHead(stage: Stage) {
    for content in FileProgress.Content.allCases {
      var progress = progress(stage)
      let reaction = progress.endHead(content, hasTag: false, isWhole: false, isWholeBehindTag: false)
      #expect(reaction == .openWindow && progress.stage == self.progress(stage).stage)
    }
  }

  @Test("A seek and an entry into the ring are not ends without data")
  func forgetsBarren() {
    // Only the bytes that enter the ring are counted, so a file in its window returns to its samples.
    var progress = FileProgress(readsHead: false)
    _ = progress.end(End(close: .complete, isWhole: false, hasNewBytes: false))
    #expect(progress.isBarren)
    var other = progress
    progress.beginWindow()
    _ = other.nextSample()
    #expect(!progress.isBarren && !other.isBarren)
  }

  @Test("After sixteen parts of garbage the rest of the file is requested", arguments: FileProgress.Content.allCases)
  func searchesRest(content: FileProgress.Content) {
    guard content != .list, content != .refused else { return }
    var progress = FileProgress(readsHead: true)
    for _ in 0..<15 { _ = progress.endHead(content, hasTag: false, isWhole: false, isWholeBehindTag: false) }
    #expect(progress.partByteCount == 65_536)
    let reaction = progress.endHead(content, hasTag: false, isWhole: false, isWholeBehindTag: false)
    #expect(reaction == .requestMore)
    #expect(progress.partByteCount == (content == .audio ? nil : 65_536) && progress.isAtHead)
  }

  @Test("A head of more than sixteen parts or long tags is not audio", arguments: [false, true])
  func longHead(hasTag: Bool) {
    var progress = FileProgress(readsHead: true)
    // Parts with and without a tag are counted separately.
    let parts = [Bool](repeating: hasTag, count: 16) + [!hasTag, hasTag]
    let reactions = parts.map { progress.endHead(.audio, hasTag: $0, isWhole: false, isWholeBehindTag: false) }
    #expect(reactions.dropLast().allSatisfy { $0 == .requestMore } && reactions.last == .noAudio)
  }
}
