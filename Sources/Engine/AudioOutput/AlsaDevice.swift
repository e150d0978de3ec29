import CALSA
import Glibc
import Rendering
import Units

/// An open ALSA playback device (snd_pcm_open, snd_pcm_hw_params, snd_pcm_sw_params). Control thread only.
struct AlsaDevice: ~Copyable {
  let pcm: OpaquePointer
  let name: String
  let samples: SampleFormat
  let channels: Int

  private init(pcm: OpaquePointer, name: String, samples: SampleFormat, channels: Int) {
    self.pcm = pcm
    self.name = name
    self.samples = samples
    self.channels = channels
  }

  deinit { snd_pcm_close(pcm) }

  /// Opens a device and selects its sample format. Hardware gets its widest format, since decoders produce 24 bits; a
  /// plug gets 16 bits if possible, because its conversion is unknown.
  static func open(_ name: String, forced: PcmFormat?) throws(SinkError) -> AlsaDevice {
    setenv("LIBASOUND_THREAD_SAFE", "0", 0)
    // Errors are thrown as `SinkError`, without libasound's messages on standard error.
    bk_alsa_silence()
    var handle: OpaquePointer?
    let result = snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
    guard result == 0, let handle else { throw error(result, name) }
    snd_pcm_nonblock(handle, 0)
    let wanted = preference(isHardware: snd_pcm_type(handle) == SND_PCM_TYPE_HW, forced: forced?.samples)
    guard let samples = wanted.first(where: { test(handle, $0) }) else {
      snd_pcm_close(handle)
      throw .deviceUnsuitable(name, what: "16, 24 or 32 bits")
    }
    let channels = forced?.channels ?? (test(handle, samples, channels: 2) ? 2 : 1)
    guard test(handle, samples, channels: channels) else {
      snd_pcm_close(handle)
      throw .deviceUnsuitable(name, what: "\(channels) channels")
    }
    return AlsaDevice(pcm: handle, name: name, samples: samples, channels: channels)
  }

  func accepts(_ rate: SampleRate) -> Bool { Self.test(pcm, samples, channels: channels, rate) }

  func accepts(_ samples: SampleFormat) -> Bool { Self.test(pcm, samples) }

  /// The device's chain of plug-ins in libasound's words (`snd_pcm_dump`), at most 4,096 bytes.
  var description: String {
    let pcm = pcm
    let bytes = [UInt8](unsafeUninitializedCapacity: 4_096) { room, count in
      count = room.withMemoryRebound(to: CChar.self) { bk_alsa_describe(pcm, $0.baseAddress, $0.count) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Sets rate, period and buffer, and prepares the device; may be called again, and then drops queued frames.
  func configure(_ rate: SampleRate, periodMilliseconds: Int, bufferMilliseconds: Int) throws(SinkError) -> Sink {
    snd_pcm_drop(pcm)
    snd_pcm_hw_free(pcm)
    var period = snd_pcm_uframes_t(Int(rate.hertz) * periodMilliseconds / 1000)
    var buffer = snd_pcm_uframes_t(Int(rate.hertz) * bufferMilliseconds / 1000)
    var isBatch = false
    guard setHardware(rate, &period, &buffer, &isBatch) >= 0 else {
      throw .deviceUnsuitable(name, what: "\(rate)")
    }
    let result = setSoftware(period)
    guard result >= 0 else { throw .deviceFailed(name, message: String(cString: snd_strerror(result))) }
    // A batch card reports its position only once per period.
    let fetched = Int(rate.hertz) * Self.fetchedMilliseconds / 1_000 + (isBatch ? Int(period) : 0)
    return Sink(
      backend: .alsa, pcm: pcm, isPaced: false, samples: samples, channels: channels, rate: rate,
      canRewind: canRewind, fetchedFrames: fetched, periodFrames: Int(period), bufferFrames: Int(buffer))
  }

  /// Milliseconds that a card may fetch in advance, and that the render thread may be late.
  private static let fetchedMilliseconds = 8

  /// True if the device can drop queued frames (snd_pcm_rewind). Only hardware can do so exactly: sound servers may
  /// have played the frames, and dmix has mixed them.
  private var canRewind: Bool {
    let chain = description
    return chain.contains("Hardware PCM") && !chain.contains("Direct ") && !chain.contains("Rate conversion")
  }

  private func setHardware(
    _ rate: SampleRate, _ period: inout snd_pcm_uframes_t, _ buffer: inout snd_pcm_uframes_t, _ isBatch: inout Bool
  ) -> Int32 {
    guard let parameters = Self.parameters(pcm) else { return -ENOMEM }
    defer { snd_pcm_hw_params_free(parameters) }
    var result = snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED)
    if result >= 0 { result = snd_pcm_hw_params_set_format(pcm, parameters, Self.alsa(samples)) }
    if result >= 0 { result = snd_pcm_hw_params_set_channels(pcm, parameters, UInt32(channels)) }
    if result >= 0 { result = snd_pcm_hw_params_set_rate(pcm, parameters, UInt32(rate.hertz), 0) }
    if result >= 0 { result = snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &buffer) }
    if result >= 0 { result = snd_pcm_hw_params_set_period_size_near(pcm, parameters, &period, nil) }
    if result >= 0 { result = snd_pcm_hw_params(pcm, parameters) }
    if result >= 0 { isBatch = snd_pcm_hw_params_is_batch(parameters) != 0 }
    return result
  }

  /// Makes the device start with the first period, and wake the render thread after each.
  private func setSoftware(_ period: snd_pcm_uframes_t) -> Int32 {
    var allocated: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&allocated) == 0, let parameters = allocated else { return -ENOMEM }
    defer { snd_pcm_sw_params_free(parameters) }
    var result = snd_pcm_sw_params_current(pcm, parameters)
    if result >= 0 { result = snd_pcm_sw_params_set_start_threshold(pcm, parameters, period) }
    if result >= 0 { result = snd_pcm_sw_params_set_avail_min(pcm, parameters, period) }
    if result >= 0 { result = snd_pcm_sw_params(pcm, parameters) }
    if result >= 0 { result = snd_pcm_prepare(pcm) }
    return result
  }

  /// Returns the device's configuration space, which the caller frees; nil without memory.
  private static func parameters(_ pcm: OpaquePointer) -> OpaquePointer? {
    var allocated: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&allocated) == 0, let parameters = allocated else { return nil }
    snd_pcm_hw_params_any(pcm, parameters)
    return parameters
  }

  /// Returns true if a device accepts interleaved samples with this format, channel count and rate. Each setting limits
  /// the choice of the next one: a device may support a rate for one format only.
  private static func test(
    _ pcm: OpaquePointer, _ samples: SampleFormat, channels: Int? = nil, _ rate: SampleRate? = nil
  ) -> Bool {
    guard let parameters = parameters(pcm) else { return false }
    defer { snd_pcm_hw_params_free(parameters) }
    guard snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED) == 0,
      snd_pcm_hw_params_test_format(pcm, parameters, alsa(samples)) == 0,
      snd_pcm_hw_params_set_format(pcm, parameters, alsa(samples)) == 0
    else { return false }
    if let channels, snd_pcm_hw_params_set_channels(pcm, parameters, UInt32(channels)) != 0 { return false }
    guard let rate else { return true }
    return snd_pcm_hw_params_test_rate(pcm, parameters, UInt32(rate.hertz), 0) == 0
  }

  private static func preference(isHardware: Bool, forced: SampleFormat?) -> [SampleFormat] {
    switch forced {
    case .s16le: [.s16le]
    case .s24le, .s24in32le: [.s24in32le, .s24le]
    case .s32le: [.s32le]
    case nil: isHardware ? [.s32le, .s24in32le, .s24le, .s16le] : [.s16le, .s32le, .s24in32le, .s24le]
    }
  }

  private static func alsa(_ format: SampleFormat) -> snd_pcm_format_t {
    switch format {
    case .s16le: SND_PCM_FORMAT_S16_LE
    case .s24le: SND_PCM_FORMAT_S24_3LE
    case .s24in32le: SND_PCM_FORMAT_S24_LE
    case .s32le: SND_PCM_FORMAT_S32_LE
    }
  }

  private static func error(_ result: Int32, _ name: String) -> SinkError {
    switch -result {
    case ENOENT, ENODEV, ENXIO, EINVAL: .noSuchDevice(name, existing: AlsaDevices.names())
    case EBUSY, EAGAIN: .deviceBusy(name)
    case EACCES, EPERM: .deviceForbidden(name)
    default: .deviceFailed(name, message: String(cString: snd_strerror(result)))
    }
  }
}
