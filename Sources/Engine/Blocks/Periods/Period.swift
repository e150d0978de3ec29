import Units

/// The description of a period of PCM, without its samples.
public struct Period: BitwiseCopyable, Sendable {
  /// Maximum number of frames from packets per period: one frame of MPEG audio. A longer packet fills several periods.
  @inlinable
  public static var maxPart: Int { 1_152 }

  /// Maximum number of frames per period: `maxPart` plus drift compensation.
  @inlinable
  public static var frameCapacity: Int { 1_184 }

  /// Samples per frame: two of 24 bits, each in an `Int32`. Mono is duplicated.
  @inlinable
  public static var channels: Int { 2 }

  @_noLocks @_noAllocation
  static func sampleCapacity() -> Int { frameCapacity &* channels }

  /// The minimum sample value.
  @inlinable
  public static var lowestSample: Int32 { -8_388_608 }

  /// The maximum sample value.
  @inlinable
  public static var highestSample: Int32 { 8_388_607 }

  /// Instructions for the renderer.
  public struct Flags: OptionSet, BitwiseCopyable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// Creates a set from bits.
    @_noLocks @_noAllocation @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Audio is missing before the period, so that the period fades in.
    @inlinable
    public static var followsGap: Flags { Flags(rawValue: 2) }
    /// The last period of its programme, possibly empty.
    @inlinable
    public static var end: Flags { Flags(rawValue: 4) }

    /// Returns true if all of `flags` are set.
    @_noLocks @_noAllocation @inlinable
    public func contains(_ flags: Flags) -> Bool { rawValue & flags.rawValue == flags.rawValue }
  }

  /// The number of frames.
  public var frameCount: Int32 = 0
  /// Frames per second.
  public var rate: SampleRate = .cd
  /// The programme's number.
  public var epoch: UInt32 = 0
  /// Number of the last seek before decoding; a later seek makes the period stale.
  public var seek: UInt32 = 0
  /// Instructions for the renderer.
  public var flags = Flags(rawValue: 0)
  /// The first frame's stream time.
  public var start = StreamTime.zero
  /// Stream time that the period covers. After drift compensation, it differs from `frameCount` divided by `rate`.
  public var duration = StreamTime.zero
  /// The packet's offset in the station's bytes.
  public var byteOffset: Int = 0
  /// The number of the packet's block.
  public var sequence: Int = 0
  /// The programme's channels, 1 or 2.
  public var sourceChannels: Int32 = 2

  /// Creates an empty period.
  public init() {}
}
