/// A sink's sample format, little-endian and interleaved.
public enum SampleFormat: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// 16 bits in two bytes.
  case s16le
  /// 24 bits in three bytes.
  case s24le
  /// 24 bits in the low three of four bytes, sign-extended.
  case s24in32le
  /// 32 bits in four bytes.
  case s32le

  /// Returns the bytes per sample.
  @_noLocks @_noAllocation
  public func byteCount() -> Int {
    switch self {
    case .s16le: 2
    case .s24le: 3
    case .s24in32le, .s32le: 4
    }
  }

  /// Significant bits, 16 or 24, to which decoders round.
  public var depth: Int { self == .s16le ? 16 : 24 }
}

/// Converts rendered frames to a sink's format. Render thread.
public enum SampleConversion {
  /// Converts `count` frames of two 24-bit samples to `format` with one channel, the mean of both, or two. Rounds to 16
  /// bits; samples with 16 significant bits stay unchanged.
  @_noLocks @_noAllocation
  public static func convert(
    _ frames: UnsafePointer<Int32>, count: Int, to format: SampleFormat, channels: Int,
    _ out: UnsafeMutableRawPointer
  ) {
    if channels == 2 {
      interleave(frames, count &* 2, format, out)
    } else {
      for frame in 0..<count {
        let sum = frames[2 &* frame] &+ frames[2 &* frame &+ 1]
        var mean = sum &>> 1
        withUnsafePointer(to: &mean) { interleave($0, 1, format, out + frame &* format.byteCount()) }
      }
    }
  }

  @_noLocks @_noAllocation
  private static func interleave(
    _ samples: UnsafePointer<Int32>, _ count: Int, _ format: SampleFormat, _ out: UnsafeMutableRawPointer
  ) {
    switch format {
    case .s16le:
      let target = out.assumingMemoryBound(to: Int16.self)
      for index in 0..<count {
        let rounded = (samples[index] &+ 128) &>> 8
        target[index] = Int16(truncatingIfNeeded: max(-32_768, min(32_767, rounded)))
      }
    case .s24le:
      let target = out.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count {
        let sample = UInt32(bitPattern: samples[index])
        target[3 &* index] = UInt8(truncatingIfNeeded: sample)
        target[3 &* index &+ 1] = UInt8(truncatingIfNeeded: sample &>> 8)
        target[3 &* index &+ 2] = UInt8(truncatingIfNeeded: sample &>> 16)
      }
    case .s24in32le:
      out.copyMemory(from: samples, byteCount: count &* 4)
    case .s32le:
      let target = out.assumingMemoryBound(to: Int32.self)
      for index in 0..<count { target[index] = samples[index] &<< 8 }
    }
  }
}
