/// A Fourier transform of complex numbers, in place, with a power of two as size. Allocated at creation.
struct FourierTransform {
  let size: Int
  /// Cosine and sine of the angles of half a turn.
  private let cosines: [Float]
  private let sines: [Float]

  init(size: Int) {
    precondition(size > 1 && size & (size - 1) == 0, "the size is a power of two")
    self.size = size
    cosines = (0..<size / 2).map { Float(Wave.cosine(Double($0) / Double(size))) }
    sines = (0..<size / 2).map { Float(Wave.sine(Double($0) / Double(size))) }
  }

  /// Transforms `data`. Twice, with the conjugate before and after the second time, multiplies by `size`.
  func apply(_ data: inout ComplexRow) {
    precondition(data.real.count == size, "the row has the transform's size")
    reorder(&data)
    var half = 1
    while half < size {
      let stride = size / (2 * half)
      var start = 0
      while start < size {
        for index in 0..<half {
          let (one, other, angle) = (start &+ index, start &+ index &+ half, index &* stride)
          let (cosine, sine) = (cosines[angle], sines[angle])
          let real = data.real[other] * cosine + data.imaginary[other] * sine
          let imaginary = data.imaginary[other] * cosine - data.real[other] * sine
          data.real[other] = data.real[one] - real
          data.imaginary[other] = data.imaginary[one] - imaginary
          data.real[one] += real
          data.imaginary[one] += imaginary
        }
        start &+= 2 &* half
      }
      half &*= 2
    }
  }

  /// Exchanges the elements whose index has the opposite order of bits.
  private func reorder(_ data: inout ComplexRow) {
    var opposite = 0
    for index in 1..<size {
      var bit = size >> 1
      while opposite & bit != 0 {
        opposite ^= bit
        bit >>= 1
      }
      opposite |= bit
      if index < opposite {
        data.real.swapAt(index, opposite)
        data.imaginary.swapAt(index, opposite)
      }
    }
  }
}

/// A row of complex numbers.
struct ComplexRow {
  var real: [Float]
  var imaginary: [Float]

  init(count: Int) {
    real = [Float](repeating: 0, count: count)
    imaginary = real
  }
}
