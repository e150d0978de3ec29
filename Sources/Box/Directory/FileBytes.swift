import Glibc
import System

/// The bytes of a directory, which do not change and lie still. Whatever place is asked for, nothing outside is read.
final class FileBytes: @unchecked Sendable {
  private let bytes: UnsafeRawBufferPointer
  private let isMapped: Bool

  /// How many there are.
  var count: Int { bytes.count }

  /// Copies bytes.
  init(copying source: UnsafeRawBufferPointer) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 8)
    copy.copyMemory(from: source)
    bytes = UnsafeRawBufferPointer(copy)
    isMapped = false
  }

  /// Maps a file for reading (`mmap(2)`).
  ///
  /// The file is only ever replaced by another one, never written or cut, so that each page stays what it was. A card
  /// that cannot read a page later ends the program (SIGBUS), as it would with a page of the program itself.
  init(mapping file: borrowing Descriptor, count: Int) throws(DirectoryError) {
    guard count > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      isMapped = false
      return
    }
    guard let place = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.raw, 0), place != MAP_FAILED else {
      throw .unreadable(errno)
    }
    bytes = UnsafeRawBufferPointer(start: place, count: count)
    isMapped = true
  }

  deinit {
    guard let place = UnsafeMutableRawPointer(mutating: bytes.baseAddress) else { return }
    if isMapped { munmap(place, bytes.count) } else { place.deallocate() }
  }

  /// The bytes of a range, cut to what is there.
  func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)])
  }

  /// A number at a place; 0 where it does not lie within.
  func number<Number: FixedWidthInteger>(_ place: Int, as: Number.Type = Number.self) -> Number {
    guard place >= 0, place <= bytes.count - MemoryLayout<Number>.size else { return 0 }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
  }
}
