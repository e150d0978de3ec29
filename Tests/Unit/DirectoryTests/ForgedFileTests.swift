import DirectorySupport
import Foundation
import Testing

@testable import Directory

/// Files with a correct checksum and invalid offsets.
struct ForgedFileTests {
  private let file: [UInt8]

  init() throws { file = try FileTests.file(60) }

  private func number(_ bytes: [UInt8], _ place: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  private func put(_ number: Int, at place: Int, in bytes: inout [UInt8]) {
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
  }

  /// The byte range of a section.
  private func section(_ section: FileLayout.Section, _ bytes: [UInt8]) -> Range<Int> {
    let place = FileLayout.Header.sections + section.rawValue * 8
    let start = number(bytes, place)
    return start..<start + number(bytes, place + 4)
  }

  /// Appends a section, and points the header to it.
  private func replace(_ section: FileLayout.Section, with part: [UInt8], in bytes: inout [UInt8]) {
    let place = FileLayout.Header.sections + section.rawValue * 8
    put(bytes.count, at: place, in: &bytes)
    put(part.count, at: place + 4, in: &bytes)
    bytes += part
    put(bytes.count, at: FileLayout.Header.length, in: &bytes)
  }

  /// Opens the file by its path, as the box does.
  private func open(_ bytes: [UInt8]) throws -> StationDirectory {
    var bytes = bytes
    bytes.mend()
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path))
    return try StationDirectory(path: folder.path)
  }

  private func words(_ numbers: [Int]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4 * numbers.count)
    for (index, number) in numbers.enumerated() { put(number, at: 4 * index, in: &bytes) }
    return bytes
  }

  @Test("An unchanged file opens (G2)")
  func own() throws {
    #expect(try open(file).count == 60)
    var bytes = file
    replace(.source, with: Array("elsewhere".utf8), in: &bytes)
    #expect(try open(bytes).source == "elsewhere")
  }

  @Test("Labels that all span the file make it damaged (G2)")
  func labels() throws {
    let count = section(.labels, file).count / 4
    let most = section(.labelTexts, file).count
    for numbers in [
      (0..<count).map { $0 % 2 * most }, [0] + Array(repeating: most, count: count - 1),
      Array(repeating: 0, count: count),
      [1] + Array(repeating: most, count: count - 1),
    ] {
      var bytes = file
      replace(.labels, with: words(numbers), in: &bytes)
      #expect(throws: DirectoryError.damaged) { try open(bytes) }
    }
  }

  @Test("Too many terms of a kind make a file damaged (G2)", arguments: FileLayout.TermKind.allCases)
  func counts(_ kind: FileLayout.TermKind) throws {
    for count in [kind.maxCount, kind.maxCount + 1] {
      var bytes = file
      for other in FileLayout.TermKind.allCases {
        put(other == kind ? count : 0, at: FileLayout.Header.termCounts + Int(other.rawValue) * 4, in: &bytes)
      }
      replace(.terms, with: [UInt8](repeating: 0, count: (count + 1) * FileLayout.termSize), in: &bytes)
      replace(.termTexts, with: [], in: &bytes)
      replace(.postings, with: [], in: &bytes)
      replace(.labels, with: [UInt8](repeating: 0, count: ((kind == .word ? 0 : count) + 1) * 4), in: &bytes)
      replace(.labelTexts, with: [], in: &bytes)
      if count == kind.maxCount {
        #expect(try open(bytes).count == 60)
      } else {
        #expect(throws: DirectoryError.damaged) { try open(bytes) }
      }
    }
  }

  @Test("Terms that share texts or postings make a file damaged (G2)", arguments: [0, 4])
  func terms(_ offset: Int) throws {
    let terms = section(.terms, file)
    let end = section(offset == 0 ? .termTexts : .postings, file).count
    var bytes = file
    for (index, place) in stride(from: terms.lowerBound, to: terms.upperBound, by: 8).enumerated() {
      put(index % 2 * end, at: place + offset, in: &bytes)
    }
    #expect(throws: DirectoryError.damaged) { try open(bytes) }
    bytes = file
    put(end + 1, at: terms.upperBound - 8 + offset, in: &bytes)
    #expect(throws: DirectoryError.damaged) { try open(bytes) }
  }

  @Test("Records that share or exceed texts make a file damaged (G2)")
  func records() throws {
    let records = section(.records, file)
    let places = stride(from: records.lowerBound, to: records.upperBound, by: FileLayout.recordSize)
    let texts = [UInt8](repeating: 0, count: FileLayout.maxTextLength + 1)
    for (length, isSound) in [(FileLayout.maxTextLength, true), (FileLayout.maxTextLength + 1, false)] {
      for isFirst in [true, false] {
        var bytes = file
        replace(.texts, with: Array(texts[..<length]), in: &bytes)
        for (index, place) in places.enumerated() {
          put(isFirst && index > 0 ? length : 0, at: place + FileLayout.Record.text, in: &bytes)
        }
        if isSound {
          #expect(try open(bytes)[3].name == "")
        } else {
          #expect(throws: DirectoryError.damaged) { try open(bytes) }
        }
      }
    }
    var bytes = file
    let place = records.lowerBound + 7 * FileLayout.recordSize + FileLayout.Record.text
    put(0, at: place, in: &bytes)
    #expect(throws: DirectoryError.damaged) { try open(bytes) }
  }

  @Test("Texts from a file are clean and short, and addresses are HTTP (G2)")
  func texts() throws {
    var symbols: [UInt8] = []
    for byte in ["\u{1B}", "A"] { symbols += [8] + Array(String(repeating: byte, count: 8).utf8) }
    var texts: [UInt8] = []
    texts.append(text: [0] + [UInt8](repeating: 1, count: 200))
    let url = Array("file:///home/radio/.ssh/id".utf8).flatMap { [TextCode.escape, $0] }
    texts.append(text: url)
    texts.append(text: url)
    texts.append(text: [UInt8](repeating: 1, count: 2_000))
    texts += [0, 0]
    var bytes = file
    replace(.texts, with: texts, in: &bytes)
    replace(.symbols, with: symbols, in: &bytes)
    let records = section(.records, bytes)
    for (index, place) in stride(from: records.lowerBound, to: records.upperBound, by: FileLayout.recordSize)
      .enumerated()
    {
      put(index > 0 ? texts.count : 0, at: place + FileLayout.Record.text, in: &bytes)
    }
    let directory = try open(bytes)
    let entry = directory[0]
    #expect(!entry.name.isEmpty && entry.name.utf8.count <= DirectoryEntry.maxNameLength)
    #expect(entry.name.allSatisfy { $0 == "A" } && directory.name(of: 0) == entry.name)
    #expect(entry.url.unredacted == "" && entry.homepage == "")
    #expect(entry.state == String(repeating: "A", count: DirectoryEntry.maxWordLength))
  }

  @Test("Stations with one name's hash are read up to a limit (G5)", arguments: [3_000, 4_500])
  func hashes(_ count: Int) throws {
    let file = try FileTests.file(5_000)
    let name = try open(file).name(of: 4_999)
    let records = section(.records, file).lowerBound
    func place(_ rank: Int) -> Int { records + rank * FileLayout.recordSize + FileLayout.Record.name }
    var bytes = file
    for rank in 0..<count { put(number(file, place(4_999)), at: place(rank), in: &bytes) }
    let found = try open(bytes).ranks(named: name)
    #expect(found == (count < 4_000 ? [4_999] : []))
  }
}
