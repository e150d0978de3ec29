import CLinux
import Rendering
import System
import Units

/// The requested sink: a card, a file, a pipe or null. Control thread only.
struct Output: ~Copyable {
  private let request: OutputRequest
  private var device: AlsaDevice?
  private var isOpen: Bool
  /// The WAV header for a pipe, until `removeHeader`.
  private var header: [UInt8] = []
  private var file: SoundFile?
  /// A snapserver's pipe without a reader.
  private var feed: FeedPipe?
  private(set) var ratePolicy: RatePolicy
  /// The sample format to which decoders round; constant, even if a card with another format is opened later.
  private let samples: SampleFormat
  private(set) var channels = 2
  private(set) var isNamedPipe: Bool
  /// The reason why an awaited card or pipe is not open yet.
  private(set) var absence: SinkError?

  private static let usualRates: [Int32] = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
  ]

  /// Opens the requested sink, or sets `absence` if an awaited sink is missing. Waits up to 200 ms for a snapserver.
  static func open(_ request: OutputRequest, _ clock: Clock) throws(SinkError) -> Output {
    var device: AlsaDevice?
    var file: SoundFile?
    var feed: FeedPipe?
    do throws(SinkError) {
      device = try openCard(request)
      file = try openFile(request, atStart: clock, &feed)
    } catch {
      guard isWaited(for: error, request) else { throw error }
      return Output(request, device, file, feed, absence: error)
    }
    return Output(request, device, file, feed, absence: nil)
  }

  /// Does not throw, because Swift 6.2.3 cannot compile an initializer that throws before it sets these optionals.
  private init(
    _ request: OutputRequest, _ device: consuming AlsaDevice?, _ file: consuming SoundFile?,
    _ feed: consuming FeedPipe?, absence: SinkError?
  ) {
    // An unknown card may support the widest format.
    samples = device?.samples ?? request.format?.samples ?? (request.isCard ? .s24in32le : .s16le)
    ratePolicy = Self.policy(request, device)
    self.request = request
    self.absence = absence
    isOpen = absence == nil
    isNamedPipe = file?.isNamedPipe ?? (absence != nil && !request.isCard)
    self.file = file
    self.device = device
    self.feed = feed
  }

  private static func isWaited(for error: SinkError, _ request: OutputRequest) -> Bool {
    if case .noReader = error { return true }
    return request.hasClock && request.waitsForDevice
  }

  private static func openCard(_ request: OutputRequest) throws(SinkError) -> AlsaDevice? {
    guard case .alsa(let name) = request.kind else { return nil }
    let device = try AlsaDevice.open(name, forced: request.format)
    if let forced = request.format, !device.accepts(forced.rate) {
      throw .deviceUnsuitable(name, what: "\(forced.rate)")
    }
    return device
  }

  private static func openFile(
    _ request: OutputRequest, atStart clock: Clock?, _ feed: inout FeedPipe?
  ) throws(SinkError) -> SoundFile? {
    let isPipeAgain = clock == nil
    switch request.kind {
    case .raw(let path): return try SoundFile(path, isWav: false, isPipeAgain: isPipeAgain)
    case .wav(let path): return try SoundFile(path, isWav: true, isPipeAgain: isPipeAgain)
    case .snapcast(let path): return try openFeed(path, request, waitingBy: clock, &feed)
    case .alsa, .null: return nil
    }
  }

  /// Opens a snapserver's pipe and sets its size. Without a reader, stores the pipe in `feed` and throws `noReader`.
  private static func openFeed(
    _ path: String, _ request: OutputRequest, waitingBy clock: Clock?, _ feed: inout FeedPipe?
  ) throws(SinkError) -> SoundFile {
    let pipe: FeedPipe
    if let kept = feed.take(), kept.isInPlace { pipe = kept } else { pipe = try FeedPipe.open(path) }
    if let clock { pipe.waitForReader(by: clock) }
    guard pipe.hasReader else {
      feed = consume pipe
      throw .noReader(path: path)
    }
    let file = SoundFile(path, feed: pipe.release())
    let format = OutputRequest.snapcastFormat
    let frames = Int(format.rate.hertz) * request.bufferMilliseconds / 1_000
    bk_set_pipe_size(file.descriptor, Int32(frames * format.samples.byteCount() * format.channels))
    return file
  }

  private static func policy(_ request: OutputRequest, _ device: borrowing AlsaDevice?) -> RatePolicy {
    if let forced = request.format { return .fixed(forced.rate) }
    if !request.isCard, request.kind != .null { return .keepFirst }
    var rates: [SampleRate] = []
    for hertz in usualRates where device?.accepts(SampleRate(hertz)) == true { rates.append(SampleRate(hertz)) }
    return .follow(rates)
  }

  /// Opens the card or named pipe again; returns false if the sink was open.
  mutating func openDevice() throws(SinkError) -> Bool {
    guard !isOpen else { return false }
    device = try Self.openCard(request)
    file = try Self.openFile(request, atStart: nil, &feed)
    ratePolicy = Self.policy(request, device)
    (isOpen, absence) = (true, nil)
    return true
  }

  /// Closes a card, for other programs, or a named pipe; other sinks stay open.
  mutating func closeDevice() {
    guard request.isCard || isNamedPipe else { return }
    device = nil
    file = nil
    isOpen = false
  }

  /// Returns true if the sink plays this rate without conversion.
  func plays(_ rate: SampleRate) -> Bool { ratePolicy.rate(for: rate, first: rate) == rate }

  var isCard: Bool { request.isCard }

  /// The rate before the first programme: as for 44.1 kHz, which most stations use.
  var firstRate: SampleRate { outputRate(for: .cd) }

  var depth: Int { samples.depth }

  var isFile: Bool {
    switch request.kind {
    case .raw, .wav, .snapcast: true
    case .alsa, .null: false
    }
  }

  var readerDelay: StreamTime {
    if case .snapcast = request.kind { return StreamTime(seconds: Double(request.serverMilliseconds) / 1_000) }
    return .zero
  }

  var isFree: Bool { !request.hasClock && !request.isPaced }

  var name: String {
    switch request.kind {
    case .alsa(let name), .raw(let name), .wav(let name), .snapcast(let name): name
    case .null: "null"
    }
  }

  func outputRate(for rate: SampleRate) -> SampleRate { ratePolicy.rate(for: rate, first: rate) }

  mutating func configure(_ rate: SampleRate, channels: Int) throws(SinkError) -> Sink {
    if let sink = try device?.configure(
      rate, periodMilliseconds: request.periodMilliseconds, bufferMilliseconds: request.bufferMilliseconds)
    {
      return sink
    }
    if !isOpen { throw absence ?? .deviceFailed(name, message: "it is not open") }
    // Without a card, two periods per buffer suffice. The thread then wakes half as often as for a card.
    self.channels = channels
    let frames = Int(rate.hertz) * request.bufferMilliseconds / 2000
    var sink = Sink(
      isPaced: request.isPaced, samples: samples, channels: request.format?.channels ?? channels, rate: rate,
      periodFrames: max(1, frames), bufferFrames: max(1, frames * 2))
    if file != nil { try attachFile(&sink) } else { sink.canRewind = request.isPaced }
    if case .snapcast = request.kind {
      sink.isPaced = false
      // 20 ms, snapserver's default chunk.
      sink.periodFrames = Int(rate.hertz) / 50
      sink.readerDelay = Int(rate.hertz) * request.serverMilliseconds / 1_000
    }
    return sink
  }

  private mutating func attachFile(_ sink: inout Sink) throws(SinkError) {
    let format = PcmFormat(samples: sink.samples, rate: sink.rate, channels: sink.channels)
    header = try file?.begin(format) ?? []
    sink.backend = file?.isPipe == true ? .pipe : .file
    sink.isNamedPipe = isNamedPipe
    sink.descriptor = file?.descriptor ?? -1
  }

  mutating func removeHeader() -> [UInt8] {
    defer { header = [] }
    return header
  }

  mutating func finish() throws(SinkError) { try file?.finish() }
}
