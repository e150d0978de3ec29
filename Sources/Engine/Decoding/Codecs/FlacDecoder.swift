import Blocks
import CFlac
import Units

/// Decodes FLAC with libFLAC; each packet is one independent frame.
final class FlacDecoder: Decoder {
  /// The facts of STREAMINFO that a frame may need.
  private let streamInfo: [UInt8]
  private let flac: UnsafeMutablePointer<FLAC__StreamDecoder>
  /// The bytes that libFLAC has not read yet.
  private var input = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var hasFailed = false
  private var sound = StereoRoom()
  private var rate: SampleRate?
  private var downmix = Downmix()
  private var isFine = false
  private var rounding: DepthRounding

  private(set) var isSuspect = false

  /// The size of STREAMINFO (RFC 9639, 8.2).
  private static let streamInfoByteCount = 34
  /// The bytes before STREAMINFO: the stream marker, and the header of a last metadata block.
  private static let head: [UInt8] = "fLaC".utf8 + [0x80, 0, 0, 34]

  /// Returns nil if libFLAC rejects the set-up, or if memory is exhausted (FLAC__stream_decoder_new).
  init?(_ depth: SampleDepth, _ setup: CodecSetup) {
    guard let streamInfo = Self.streamInfo(setup), let flac = FLAC__stream_decoder_new() else { return nil }
    self.streamInfo = streamInfo
    self.flac = flac
    rounding = DepthRounding(depth)
    guard open() else { return nil }
  }

  deinit { FLAC__stream_decoder_delete(flac) }

  /// Passes the stream's header to libFLAC (FLAC__stream_decoder_init_stream).
  private func open() -> Bool {
    let status = FLAC__stream_decoder_init_stream(
      flac,
      { _, bytes, count, decoder in FlacDecoder.of(decoder).read(bytes, count) }, nil, nil, nil, nil,
      { _, frame, samples, decoder in FlacDecoder.of(decoder).store(frame, samples) }, nil,
      { _, _, decoder in FlacDecoder.of(decoder).hasFailed = true },
      Unmanaged.passUnretained(self).toOpaque())
    guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else { return false }
    let isRead = (Self.head + streamInfo).withUnsafeBufferPointer { bytes in
      input = bytes
      return FLAC__stream_decoder_process_until_end_of_metadata(flac) != 0
    }
    input = UnsafeBufferPointer(start: nil, count: 0)
    return isRead && !hasFailed
      && FLAC__stream_decoder_get_state(flac) == FLAC__STREAM_DECODER_SEARCH_FOR_FRAME_SYNC
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> FlacDecoder {
    guard let pointer else { preconditionFailure("libFLAC gives back what it was given") }
    return Unmanaged<FlacDecoder>.fromOpaque(pointer).takeUnretainedValue()
  }

  func accepts(_ format: PacketFormat, _ setup: CodecSetup?) -> Bool {
    setup.flatMap { Self.streamInfo($0) } == streamInfo
  }

  /// Returns STREAMINFO with zero, which means unknown, for frame sizes, length and MD5; nil for another set-up. These
  /// differ between the files of an album, which thus need only one decoder.
  private static func streamInfo(_ setup: CodecSetup) -> [UInt8]? {
    guard setup.codec == .flac, setup.headers.count == 1, setup.headers[0].count == streamInfoByteCount else {
      return nil
    }
    var bytes = setup.headers[0]
    for place in [Int](4..<10) + [Int](14..<streamInfoByteCount) { bytes[place] = 0 }
    bytes[13] &= 0xF0
    return bytes
  }

  /// Clears the samples; every frame starts with a flush.
  func forget() { sound.clear() }

  /// Decodes one frame (FLAC__stream_decoder_flush, FLAC__stream_decoder_process_single). Without the flush, libFLAC
  /// inserts silence for missing frames.
  func decode(_ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo) throws(DecodeError) -> DecodedPcm {
    input = UnsafeBufferPointer(start: bytes, count: info.byteCount)
    (hasFailed, rate) = (false, nil)
    sound.clear()
    let isDone = FLAC__stream_decoder_flush(flac) != 0 && FLAC__stream_decoder_process_single(flac) != 0
    input = UnsafeBufferPointer(start: nil, count: 0)
    isSuspect = !isDone || hasFailed || sound.count == 0
    guard !isSuspect, let rate else {
      sound.clear()
      throw .discardPacket
    }
    return DecodedPcm(frameCount: sound.count, rate: rate, channels: min(2, downmix.channels))
  }

  func copy(_ pcm: DecodedPcm, from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>) {
    sound.copy(from: offset, count: count, to: out)
    rounding.round(out, count: count, isFine: isFine)
  }

  private func read(
    _ bytes: UnsafeMutablePointer<UInt8>?, _ count: UnsafeMutablePointer<Int>?
  ) -> FLAC__StreamDecoderReadStatus {
    guard let bytes, let count, let start = input.baseAddress, input.count > 0, count.pointee > 0 else {
      count?.pointee = 0
      return FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
    }
    count.pointee = min(count.pointee, input.count)
    bytes.update(from: start, count: count.pointee)
    input = UnsafeBufferPointer(rebasing: input[count.pointee...])
    return FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
  }

  /// Stores a frame's samples. Only the last frame counts, since libFLAC may emit silence before it.
  private func store(
    _ frame: UnsafePointer<FLAC__Frame>?, _ samples: UnsafePointer<UnsafePointer<Int32>?>?
  ) -> FLAC__StreamDecoderWriteStatus {
    guard let frame, let samples else { return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE }
    let header = frame.pointee.header
    let (count, channels, bits) = (Int(header.blocksize), Int(header.channels), Int(header.bits_per_sample))
    rate = SampleRate(checking: Int(header.sample_rate))
    if downmix.channels != channels { downmix = Downmix(channels, ChannelPosition.flacOrder(channels)) }
    isFine = bits > 16 || downmix.isMixing
    if bits <= 24, !downmix.isMixing, let left = samples[0], let right = samples[channels - 1] {
      sound.fill(count) { SampleScale.interleave(left, right, count: count, bits: bits, to: $0) }
    } else if bits <= 24 {
      sound.fill(count, downmix) { frame, channel in
        samples[channel].map { SampleScale.from($0[frame], bits: bits) } ?? 0
      }
    } else {
      sound.fill(count, downmix) { frame, channel in
        samples[channel].map { SampleScale.rounding($0[frame], bits: bits) } ?? 0
      }
    }
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
  }
}
