import CLinux
import Rendering
import System
import Units

/// What was asked for, opened: a card, a file, or nothing. The control thread's.
struct Output: ~Copyable {
  private let request: OutputRequest
  private var device: AlsaDevice?
  private var isOpen: Bool
  /// What a pipe is to be given before the sound.
  private var header: [UInt8] = []
  private var file: SoundFile?
  /// A snapserver's pipe, while nobody reads it.
  private var feed: FeedPipe?
  private(set) var ratePolicy: RatePolicy
  /// As decoders round for it: decided once, whatever comes later.
  private let samples: SampleFormat
  /// Channels of the programme that the sink was set for last.
  private(set) var channels = 2
  /// Whether it is a named pipe: its reader may go, and another come.
  private(set) var isNamedPipe: Bool
  /// Why a card that is waited for is not open yet.
  private(set) var absence: SinkError?

  /// The rates of stations and of sound cards.
  private static let usualRates: [Int32] = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
  ]

  /// Opens what is asked for; a snapserver that runs is waited for a moment.
  init(_ request: OutputRequest, _ clock: Clock) throws(SinkError) {
    var device: AlsaDevice?
    var file: SoundFile?
    var feed: FeedPipe?
    var absence: SinkError?
    do throws(SinkError) {
      device = try Self.open(request)
    } catch {
      guard request.waitsForDevice else { throw error }
      absence = error
    }
    do throws(SinkError) {
      file = try Self.openFile(request, atStart: clock, &feed)
    } catch {
      guard Self.isWaited(for: error, request) else { throw error }
      absence = error
    }
    self.init(request, device: device, file: file, absence: absence)
    self.feed = feed
  }

  private init(
    _ request: OutputRequest, device: consuming AlsaDevice?, file: consuming SoundFile?, absence: SinkError?
  ) {
    // A card that is not known yet may take all that there is.
    samples = device?.samples ?? request.format?.samples ?? (request.isCard ? .s24in32le : .s16le)
    ratePolicy = Self.policy(request, device)
    self.request = request
    self.absence = absence
    isOpen = absence == nil
    isNamedPipe = file?.isNamedPipe ?? (absence != nil && !request.isCard)
    self.file = file
    self.device = device
  }

  /// Whether a pipe is waited for: who reads it may come later, and so may snapserver's pipe itself.
  private static func isWaited(for error: SinkError, _ request: OutputRequest) -> Bool {
    if case .noReader = error { return true }
    if case .snapcast = request.kind { return request.waitsForDevice }
    return false
  }

  /// The card that is asked for; nil where none is.
  private static func open(_ request: OutputRequest) throws(SinkError) -> AlsaDevice? {
    guard case .alsa(let name) = request.kind else { return nil }
    let device = try AlsaDevice.open(name, forced: request.format)
    if let forced = request.format, !device.accepts(forced.rate) {
      throw .deviceUnsuitable(name, what: "\(forced.rate)")
    }
    return device
  }

  /// The file or pipe that is asked for; nil where none is.
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

  /// The pipe that a snapserver reads, which holds about so much sound as a card would; `feed` keeps it while nobody
  /// reads it.
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
    let file = SoundFile(path, feed: pipe.take())
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

  /// Opens the card that was asked for, or a pipe that had no reader; false, and without effect, where it is open.
  mutating func openDevice() throws(SinkError) -> Bool {
    guard !isOpen else { return false }
    device = try Self.open(request)
    file = try Self.openFile(request, atStart: nil, &feed)
    ratePolicy = Self.policy(request, device)
    (isOpen, absence) = (true, nil)
    return true
  }

  /// Lets go of the card, so that others may have it, or of a named pipe; a file stays open.
  mutating func closeDevice() {
    guard request.isCard || isNamedPipe else { return }
    device = nil
    file = nil
    isOpen = false
  }

  /// Whether the sink plays sound of this rate as it is.
  func plays(_ rate: SampleRate) -> Bool { ratePolicy.rate(for: rate, first: rate) == rate }

  /// Whether sound goes to a card.
  var isCard: Bool { request.isCard }

  /// The rate to make ready for before anything is known: most stations'.
  var firstRate: SampleRate { outputRate(for: .cd) }

  var depth: Int { samples.depth }

  /// Whether sound goes to a file or a pipe.
  var isFile: Bool {
    switch request.kind {
    case .raw, .wav, .snapcast: true
    case .alsa, .null: false
    }
  }

  /// How much later a pipe's reader plays what it takes; zero where the sink is another.
  var readerDelay: StreamTime {
    if case .snapcast = request.kind { return StreamTime(seconds: Double(request.serverMilliseconds) / 1_000) }
    return .zero
  }

  /// Whether sound is taken as fast as it comes.
  var isFree: Bool { !request.hasClock && !request.isPaced }

  /// What people call it.
  var name: String {
    switch request.kind {
    case .alsa(let name), .raw(let name), .wav(let name), .snapcast(let name): name
    case .null: "null"
    }
  }

  func outputRate(for rate: SampleRate) -> SampleRate { ratePolicy.rate(for: rate, first: rate) }

  /// Sets the sink for a programme's rate and channels.
  mutating func configure(_ rate: SampleRate, channels: Int) throws(SinkError) -> Sink {
    if let sink = try device?.configure(
      rate, periodMilliseconds: request.periodMilliseconds, bufferMilliseconds: request.bufferMilliseconds)
    {
      return sink
    }
    if !isOpen { throw absence ?? .deviceFailed(name, message: "it is not open") }
    // A clock needs no more than two periods to a buffer: half the wake-ups of a card.
    self.channels = channels
    let frames = Int(rate.hertz) * request.bufferMilliseconds / 2000
    var sink = Sink(
      isPaced: request.isPaced, samples: samples, channels: request.format?.channels ?? channels, rate: rate,
      periodFrames: max(1, frames), bufferFrames: max(1, frames * 2))
    if file != nil { try attachFile(&sink) }
    if case .snapcast = request.kind {
      sink.isPaced = false
      // A chunk of snapserver's, unless somebody configured another.
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

  /// What a pipe is to be given before the sound; once.
  mutating func takeHeader() -> [UInt8] {
    defer { header = [] }
    return header
  }

  /// Completes a file.
  mutating func finish() throws(SinkError) { try file?.finish() }
}
