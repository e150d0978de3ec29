/// Splits the packets of a transport stream into audio, timed tags and programme tables.
struct TransportDemuxer: ~Copyable {
  private var programs = ProgramTable()
  private var sound = ElementaryStream()
  private var tags = ElementaryStream()
  private var cutter = TimedTagCutter()
  private var form = ProgramMap.Form.frames
  private var latm = LatmReader()
  private var hasSounded = false

  /// Time of the first audio PES packet since `reset`, in 90 kHz ticks; nil if absent.
  private(set) var firstTime: UInt64?
  /// Time of the last tag PES packet, in 90 kHz ticks; nil if absent.
  private(set) var tagTime: UInt64?
  private(set) var byteCountWithoutSound = 0

  var refusal: RefusedCodec? {
    if sound.isEncrypted { return .encrypted }
    guard sound.pid != nil else { return programs.refusal }
    return form == .latm ? latm.refusal : nil
  }

  mutating func reset() {
    programs.reset()
    sound.reset()
    tags.reset()
    cutter.drop()
    latm.reset()
    hasSounded = false
    (firstTime, tagTime) = (nil, nil)
  }

  mutating func pass(_ count: Int) {
    let (sum, isTooMuch) = byteCountWithoutSound.addingReportingOverflow(count)
    byteCountWithoutSound = isTooMuch ? .max : sum
  }

  mutating func take(_ bytes: Span<UInt8>, audio: (Span<UInt8>) -> Void, tag: (Span<UInt8>) -> Void) {
    pass(bytes.count)
    guard let packet = TransportPacket(bytes) else { return }
    let payload = bytes.extracting(packet.payload)
    if packet.pid == sound.pid {
      takeSound(packet, payload, audio)
    } else if packet.pid == tags.pid {
      takeTag(packet, payload, tag)
    } else if programs.take(packet, payload) {
      follow(programs.chosen)
    }
  }

  mutating func take(
    _ buffer: borrowing [UInt8], _ place: Range<Int>, audio: (Span<UInt8>) -> Void, tag: (Span<UInt8>) -> Void
  ) {
    take(buffer.span.extracting(place), audio: audio, tag: tag)
  }

  private mutating func takeSound(_ packet: TransportPacket, _ payload: Span<UInt8>, _ audio: (Span<UInt8>) -> Void) {
    let piece = sound.take(packet, payload)
    if piece.isTorn { latm.reset() }
    guard !piece.bytes.isEmpty else { return }
    if !hasSounded {
      hasSounded = true
      firstTime = sound.packet.time
    }
    programs.settle()
    let bytes = payload.extracting(piece.bytes)
    switch form {
    case .frames:
      byteCountWithoutSound = 0
      audio(bytes)
    case .latm:
      var isSilent = true
      latm.read(bytes) {
        isSilent = false
        audio($0)
      }
      if !isSilent { byteCountWithoutSound = 0 }
    }
  }

  private mutating func takeTag(_ packet: TransportPacket, _ payload: Span<UInt8>, _ tag: (Span<UInt8>) -> Void) {
    let piece = tags.take(packet, payload)
    if piece.isTorn { cutter.drop() }
    guard !piece.bytes.isEmpty else { return }
    let bytes = payload.extracting(piece.bytes)
    if piece.isStart {
      tagTime = tags.packet.time
      cutter.begin(isAligned: tags.packet.isAligned, with: bytes)
    }
    cutter.take(bytes, tag: tag)
  }

  private mutating func follow(_ map: ProgramMap?) {
    let (pid, form) = (map?.sound?.pid, map?.sound?.form ?? .frames)
    if pid != sound.pid || form != self.form {
      sound.follow(pid)
      // A new stream has its own config.
      if self.form == .latm { latm = LatmReader() }
      self.form = form
    }
    if map?.tagPID != tags.pid {
      tags.follow(map?.tagPID)
      cutter.drop()
    }
  }
}
