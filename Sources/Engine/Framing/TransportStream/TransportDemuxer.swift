/// Splits the packets of a transport stream into audio, timed tags and programme tables.
struct TransportDemuxer: ~Copyable {
  private var programs = ProgramTable()
  private var audioStream = ElementaryStream()
  private var tagStream = ElementaryStream()
  private var cutter = TimedTagCutter()
  private var form = ProgramMap.Form.frames
  private var latm = LatmReader()
  private var hasDeliveredAudio = false

  private(set) var firstTime: UInt64?
  private(set) var tagTime: UInt64?
  private(set) var byteCountWithoutAudio = 0

  var refusal: RefusedCodec? {
    if audioStream.isEncrypted { return .encrypted }
    guard audioStream.pid != nil else { return programs.refusal }
    return form == .latm ? latm.refusal : nil
  }

  mutating func reset() {
    programs.reset()
    audioStream.reset()
    tagStream.reset()
    cutter.drop()
    latm.reset()
    hasDeliveredAudio = false
    (firstTime, tagTime) = (nil, nil)
  }

  mutating func addByteCount(_ count: Int) {
    let (sum, isTooMuch) = byteCountWithoutAudio.addingReportingOverflow(count)
    byteCountWithoutAudio = isTooMuch ? .max : sum
  }

  mutating func process(_ bytes: Span<UInt8>, audio: (Span<UInt8>) -> Void, tag: (Span<UInt8>) -> Void) {
    addByteCount(bytes.count)
    guard let packet = TransportPacket(bytes) else { return }
    let payload = bytes.extracting(packet.payload)
    if packet.pid == audioStream.pid {
      processAudio(packet, payload, audio)
    } else if packet.pid == tagStream.pid {
      processTag(packet, payload, tag)
    } else if programs.process(packet, payload) {
      follow(programs.chosen)
    }
  }

  mutating func process(
    _ buffer: borrowing [UInt8], _ place: Range<Int>, audio: (Span<UInt8>) -> Void, tag: (Span<UInt8>) -> Void
  ) {
    process(buffer.span.extracting(place), audio: audio, tag: tag)
  }

  private mutating func processAudio(_ packet: TransportPacket, _ payload: Span<UInt8>, _ audio: (Span<UInt8>) -> Void)
  {
    let piece = audioStream.process(packet, payload)
    if piece.followsLoss { latm.reset() }
    guard !piece.bytes.isEmpty else { return }
    if !hasDeliveredAudio {
      hasDeliveredAudio = true
      firstTime = audioStream.packet.time
    }
    programs.confirmChoice()
    let bytes = payload.extracting(piece.bytes)
    switch form {
    case .frames:
      byteCountWithoutAudio = 0
      audio(bytes)
    case .latm:
      var isSilent = true
      latm.read(bytes) {
        isSilent = false
        audio($0)
      }
      if !isSilent { byteCountWithoutAudio = 0 }
    }
  }

  private mutating func processTag(_ packet: TransportPacket, _ payload: Span<UInt8>, _ tag: (Span<UInt8>) -> Void) {
    let piece = tagStream.process(packet, payload)
    if piece.followsLoss { cutter.drop() }
    guard !piece.bytes.isEmpty else { return }
    let bytes = payload.extracting(piece.bytes)
    if piece.isStart {
      tagTime = tagStream.packet.time
      cutter.begin(isAligned: tagStream.packet.isAligned, with: bytes)
    }
    cutter.process(bytes, tag: tag)
  }

  private mutating func follow(_ map: ProgramMap?) {
    let (pid, form) = (map?.audioStream?.pid, map?.audioStream?.form ?? .frames)
    if pid != audioStream.pid || form != self.form {
      audioStream.follow(pid)
      // A new stream has its own config.
      if self.form == .latm { latm = LatmReader() }
      self.form = form
    }
    if map?.tagPID != tagStream.pid {
      tagStream.follow(map?.tagPID)
      cutter.drop()
    }
  }
}
