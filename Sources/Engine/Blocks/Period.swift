import Units

/// What a period of PCM is, without its samples.
public struct Period: BitwiseCopyable, Sendable {
  /// How many frames of a packet become one period at most: a frame of MPEG audio. A longer one of AAC becomes several.
  @inlinable
  public static var longestPart: Int { 1_152 }

  /// How many frames a period holds at most: such a part, made longer by what steering adds.
  @inlinable
  public static var frameCapacity: Int { 1_184 }

  /// A frame is two samples of 24 bits in an `Int32` each; mono comes twice.
  @inlinable
  public static var channels: Int { 2 }

  /// Samples that a period holds at most.
  @_noLocks @_noAllocation
  static func sampleCapacity() -> Int { frameCapacity &* channels }

  /// The least value of a sample.
  @inlinable
  public static var lowestSample: Int32 { -8_388_608 }

  /// The greatest value of a sample.
  @inlinable
  public static var highestSample: Int32 { 8_388_607 }

  /// What the renderer has to know beside the samples.
  public struct Flags: OptionSet, BitwiseCopyable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// A set of bits.
    @_noLocks @_noAllocation @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Something is missing before it: it fades in.
    @inlinable
    public static var followsGap: Flags { Flags(rawValue: 2) }
    /// The last of its programme; it may be empty.
    @inlinable
    public static var end: Flags { Flags(rawValue: 4) }

    /// Whether all of `flags` are set.
    @_noLocks @_noAllocation @inlinable
    public func contains(_ flags: Flags) -> Bool { rawValue & flags.rawValue == flags.rawValue }
  }

  /// Frames in it.
  public var frameCount: Int32 = 0
  /// Frames per second.
  public var rate: SampleRate = .cd
  /// The programme.
  public var epoch: UInt32 = 0
  /// The seek after which it was decoded: a later one makes it stale.
  public var seek: UInt32 = 0
  /// What is special about it.
  public var flags = Flags(rawValue: 0)
  /// The stream time of its first frame.
  public var start = StreamTime.zero
  /// How much stream time it covers: not its frames by its rate where the rate was converted.
  public var duration = StreamTime.zero
  /// Where the packet began in the station's bytes.
  public var byteOffset: Int = 0
  /// The number of the block that the packet came from.
  public var sequence: Int = 0
  /// The channels that the programme has, 1 or 2.
  public var sourceChannels: Int32 = 2

  /// An empty period.
  public init() {}
}
