import Units

/// The search for the parts of a joined MP3 file. A value: it requests a few bytes of the file at a time, and ends
/// after a limited number of requests. A part with a Xing or VBRI header states its end, where the next part starts.
/// Parts without a header need constant bit rates: the borders between unlike rates are found by bisection.
public struct PartFinder: Sendable {
  /// Bytes of the file to read next.
  public struct Probe: Hashable, Sendable {
    /// Position of the first byte.
    public let byte: Int
    /// Number of bytes.
    public let byteCount: Int
  }

  /// The result of a search.
  public enum Outcome: Equatable, Sendable {
    /// The search found one part.
    case single
    /// The file has no header, and its bit rate varies.
    case varied
    /// The header describes all sound of the file: only tags or garbage follow.
    case whole
    case parts([SoundPart])
  }

  private enum Step {
    /// The first byte of the rest should start a part.
    case border
    /// The last bytes show if the rest has one rate.
    case end
    case rates
    /// The average of a rest with a variable bit rate. The value counts the samples.
    case average(Int)
  }

  private let total: Int
  /// Position after the last sound, as far as known.
  private var end: Int
  /// Position of the first sound after `parts`.
  private var rest: Int
  /// Parts with headers.
  private var parts: [SoundPart] = []
  private var marks = RateMarks()
  private var averageByteCount = 0
  private var averageTime = StreamTime.zero
  private var step: Step
  private var probeCount = 0
  private var byteCount = 0
  private var isEndKnown = false
  /// The next bytes to read; nil at the end of the search.
  public private(set) var probe: Probe?
  /// The result; nil during the search.
  public private(set) var outcome: Outcome?

  /// Maximum number of probes.
  public static let maxProbes = 20
  /// Maximum sum of the bytes of all probes.
  public static let maxByteCount = 163_840
  /// Maximum number of bytes of a probe.
  public static let maxProbeByteCount = 8_192
  private static let sampleByteCount = 4_096
  private static let maxAverages = 9

  /// Starts a search after a part with a header. `end`: position after the sound, as far as known. `total`: length of
  /// the file.
  init(after part: SoundPart, end: Int, total: Int) {
    (self.end, self.total) = (end, total)
    (rest, step) = (part.end, .border)
    parts = [part]
    begin()
  }

  /// Starts a search in a file without header, whose first packets have a constant rate.
  init(from firstByte: Int, _ rate: PacketRate, end: Int, total: Int) {
    (self.end, self.total) = (end, total)
    (rest, step) = (firstByte, .end)
    marks.insert(firstByte..<firstByte + 1, rate)
    begin()
  }

  /// Ends the search at once if tags leave nothing to read.
  private mutating func begin() {
    probe = nextProbe()
    if probe == nil { finish() }
  }

  /// True if the sound at the end of the file is needed next.
  public var needsEnd: Bool { if case .end = step { probe != nil } else { false } }

  // MARK: Steps

  /// Processes the bytes of `probe`, or at `needsEnd` any last bytes of the file.
  public mutating func process(_ sample: PartSample) {
    guard let probe else { return }
    count(probe)
    if sample.trailingByteCount > 0 { end = max(min(rest, end), min(end, total - sample.trailingByteCount)) }
    switch step {
    case .border: evaluateBorder(sample, probe)
    case .end: evaluateEnd(sample, probe)
    case .rates: evaluateRates(sample, probe)
    case .average(let count): evaluateAverage(sample, count)
    }
    guard outcome == nil else { return self.probe = nil }
    self.probe = nextProbe()
    if isOver { finish() }
  }

  /// Counts an interrupted request for `probe`, and requests the same bytes again if the limits allow.
  public mutating func interrupt() {
    guard let probe else { return }
    count(probe)
    if isOver { finish() }
  }

  private mutating func count(_ probe: Probe) {
    probeCount += 1
    byteCount += probe.byteCount
  }

  private var isOver: Bool {
    probe.map { probeCount >= Self.maxProbes || byteCount + $0.byteCount > Self.maxByteCount } ?? true
  }

  /// Ends the search early. The rest of the file is then estimated.
  public mutating func stop() { if outcome == nil { finish() } }

  private mutating func evaluateBorder(_ sample: PartSample, _ probe: Probe) {
    if let index = sample.runs.firstIndex(where: { $0.part != nil }), let part = sample.runs[index].part {
      for run in sample.runs[..<index] where run.bytes.count > SoundPart.minByteCount {
        if let rate = run.rate { parts.append(SoundPart(run.bytes, rate, isExact: true, isLast: false)) }
      }
      parts.append(part)
      rest = part.end
    } else if let run = sample.runs.first {
      rest = run.bytes.lowerBound
      guard let rate = run.rate, !sample.isVaried else { return beginAverage(sample) }
      marks.insert(run.bytes, rate)
      step = .end
    } else if let tagEnd = sample.tagEnd {
      rest = tagEnd
    } else if probe.byte + probe.byteCount >= end {
      rest = end
    } else {
      step = .end
    }
  }

  private mutating func evaluateEnd(_ sample: PartSample, _ probe: Probe) {
    if sample.isVaried { return handleVariedRate(sample) }
    for run in sample.runs { if let rate = run.rate { marks.insert(run.bytes, rate) } }
    marks.exclude(sample.gaps)
    if !sample.runs.isEmpty {
      (isEndKnown, step) = (true, .rates)
    } else if end <= probe.byte {
      // The last bytes are part of a longer tag.
      step = .end
    } else if !parts.isEmpty, marks.isEmpty, end - rest <= Self.maxGarbageByteCount {
      rest = end
    } else {
      finish()
    }
  }

  /// Maximum number of bytes after the stated end that are not searched further if their start and end have no sound.
  private static let maxGarbageByteCount = 65_536

  private mutating func evaluateRates(_ sample: PartSample, _ probe: Probe) {
    if sample.isVaried { return handleVariedRate(sample) }
    let before = marks.unknownByteCount
    for run in sample.runs { if let rate = run.rate { marks.insert(run.bytes, rate) } }
    marks.exclude(sample.gaps)
    // Excludes a place without news, which would be read again.
    if marks.unknownByteCount >= before { marks.exclude([probe.byte..<probe.byte + probe.byteCount]) }
  }

  private mutating func handleVariedRate(_ sample: PartSample) {
    if parts.isEmpty { outcome = .varied } else { beginAverage(sample) }
  }

  private mutating func beginAverage(_ sample: PartSample) {
    marks = RateMarks()
    evaluateAverage(sample, 0)
  }

  private mutating func evaluateAverage(_ sample: PartSample, _ count: Int) {
    averageByteCount += sample.packetByteCount
    averageTime += sample.duration
    step = .average(count + 1)
  }

  // MARK: Probes

  private func nextProbe() -> Probe? {
    guard end - rest > SoundPart.minByteCount else { return nil }
    switch step {
    case .border: return Probe(byte: rest, byteCount: min(Self.maxProbeByteCount, end - rest))
    case .end:
      let byte = max(rest, end - Self.maxProbeByteCount)
      return Probe(byte: byte, byteCount: end - byte)
    case .rates: return marks.nextProbe(before: end)
    case .average(let count):
      guard count <= Self.maxAverages, end - rest > 16 * Self.sampleByteCount else { return nil }
      // The golden ratio spreads the samples without a period, which the sound may have too.
      let share = (Double(count) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
      let span = end - rest - Self.sampleByteCount
      return Probe(byte: rest + min(span, Int(Double(span) * share)), byteCount: Self.sampleByteCount)
    }
  }

  // MARK: Result

  private mutating func finish() {
    probe = nil
    let hasRest = end - rest > SoundPart.minByteCount
    if parts.isEmpty {
      outcome = marks.isSingle ? .single : .parts(placed(marks.parts(from: rest, to: end, isEndKnown: isEndKnown)))
    } else if !hasRest {
      outcome = parts.count == 1 ? .whole : .parts(placed(parts))
    } else {
      outcome = .parts(placed(parts + restParts))
    }
  }

  private var restParts: [SoundPart] {
    if !marks.isEmpty { return marks.parts(from: rest, to: end, isEndKnown: isEndKnown) }
    let rate = PacketRate(average: averageByteCount, averageTime, packetTime: parts[0].packetTime) ?? averageOfParts
    return rate.map { [SoundPart(rest..<end, $0, isExact: false, isLast: true)] } ?? []
  }

  private var averageOfParts: PacketRate? {
    let byteCount = parts.reduce(0) { $0.clampedSum($1.end - $1.firstByte) }
    let time = parts.reduce(StreamTime.zero) { min(SoundPart.maxTime, $0 + $1.length) }
    return PacketRate(average: byteCount, time, packetTime: parts[0].packetTime)
  }

  private func placed(_ parts: [SoundPart]) -> [SoundPart] {
    var (time, isExact) = (StreamTime.zero, true)
    return parts.map { part in
      var part = part
      (part.time, part.isStartExact) = (time, isExact && part.isStartExact)
      time = min(SoundPart.maxTime, time + part.length)
      isExact = part.isStartExact && part.isExact
      return part
    }
  }
}
