/// Whether two recordings are the same, and where they part: nil, or a sentence.
public func difference(_ heard: [UInt8], _ expected: [UInt8]) -> String? {
  if heard == expected { return nil }
  let same = zip(heard, expected).prefix { $0 == $1 }.count
  return "\(heard.count) bytes instead of \(expected.count), the same up to byte \(same)"
}

/// The same for a recording that stops somewhere: nil where it is the beginning of `whole`.
public func difference(_ heard: [UInt8], beginningOf whole: [UInt8]) -> String? {
  difference(heard, Array(whole.prefix(heard.count)))
}

extension ArraySlice<UInt8> {
  /// From the first sample that is not silence on.
  public var sound: [UInt8] {
    let silent = prefix { $0 == 0 }.count / 4 * 4
    return Array(dropFirst(silent))
  }
}

/// A recording of 16-bit stereo, by frames.
public struct Sound: Sendable {
  /// Both samples of a frame in one number.
  public let frames: [UInt32]

  /// A recording as a raw file holds it.
  public init(_ bytes: [UInt8]) {
    frames = bytes.withUnsafeBytes { bytes in
      (0..<(bytes.count / 4)).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
  }

  /// The stretches in which another differs from this, which it begins at the frame `offset` of; those less than 10 ms
  /// apart are taken together.
  public func parts(from other: Sound, at offset: Int) -> [Range<Int>] {
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

  /// Where a piece of sound stands in this, in seconds at 44.1 kHz; nil where it does not.
  public func place(of piece: Sound) -> Double? {
    guard let first = piece.frames.first, piece.frames.count <= frames.count else { return nil }
    for start in 0...(frames.count - piece.frames.count) where frames[start] == first {
      if frames[start..<(start + piece.frames.count)].elementsEqual(piece.frames) { return Double(start) / 44_100 }
    }
    return nil
  }
}
