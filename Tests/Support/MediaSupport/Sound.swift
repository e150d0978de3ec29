import Foundation

/// Returns nil if two recordings are equal, otherwise a sentence with the first difference.
public func difference(_ heard: [UInt8], _ expected: [UInt8]) -> String? {
  if heard == expected { return nil }
  let same = zip(heard, expected).prefix { $0 == $1 }.count
  return "\(heard.count) bytes instead of \(expected.count), the same up to byte \(same)"
}

/// Returns nil if `heard` is the start of `whole`, otherwise a sentence with the first difference.
public func difference(_ heard: [UInt8], beginningOf whole: [UInt8]) -> String? {
  difference(heard, Array(whole.prefix(heard.count)))
}

/// Returns the offset of `part` in `whole`; nil if it does not occur.
public func place(of part: [UInt8], in whole: [UInt8]) -> Int? {
  part.isEmpty ? nil : Data(whole).range(of: Data(part))?.lowerBound
}

extension ArraySlice<UInt8> {
  /// The samples from the first 16-bit stereo frame that is not silent.
  public var withoutLeadingSilence: [UInt8] {
    let silent = prefix { $0 == 0 }.count / 4 * 4
    return Array(dropFirst(silent))
  }
}

/// A recording of 16-bit stereo.
public struct Sound: Sendable {
  /// Frames; each number has both samples of a frame.
  public let frames: [UInt32]

  /// Reads a raw recording.
  public init(_ bytes: [UInt8]) {
    frames = bytes.withUnsafeBytes { bytes in
      (0..<(bytes.count / 4)).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
  }

  /// Returns the ranges in which `other` differs from this recording from frame `offset`. Ranges less than 10 ms apart
  /// are joined.
  public func differingRanges(from other: Sound, at offset: Int) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    for (index, (mine, theirs)) in zip(frames.dropFirst(offset), other.frames).enumerated() where mine != theirs {
      if let last = parts.last, index - last.upperBound < 441 {
        parts[parts.count - 1] = last.lowerBound..<(index + 1)
      } else {
        parts.append(index..<(index + 1))
      }
    }
    return parts
  }

  /// Returns the position of a piece in seconds at 44.1 kHz; nil if it does not occur.
  public func place(of piece: Sound) -> Double? {
    guard let first = piece.frames.first, piece.frames.count <= frames.count else { return nil }
    for start in 0...(frames.count - piece.frames.count) where frames[start] == first {
      if frames[start..<(start + piece.frames.count)].elementsEqual(piece.frames) { return Double(start) / 44_100 }
    }
    return nil
  }
}
