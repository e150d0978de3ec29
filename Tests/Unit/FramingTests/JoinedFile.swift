import Units

@testable import Framing

/// A joined MP3 file with the true time of each packet, and the search for its parts.
struct JoinedFile {
  private(set) var bytes: [UInt8] = []
  /// Packets of sound: position, and start from the first packet.
  private(set) var packets: [FileMap.SeekPoint] = []
  private(set) var duration = StreamTime.zero
  /// The first packet of each part.
  private(set) var starts: [FileMap.SeekPoint] = []

  /// Appends a part of one bit rate. `index`: of the header's bit rate. `figures`: name of a header in front, if any.
  mutating func append(_ index: UInt8, _ count: Int, figures: String? = nil) {
    append(indices: [UInt8](repeating: index, count: count), figures: figures)
  }

  /// Appends a part whose packets have the bit rates `indices`.
  mutating func append(indices: [UInt8], figures: String? = nil) {
    var sound: [[UInt8]] = []
    var rest = 0
    for index in indices {
      let hertz = 44_100
      rest += 144_000 * Self.kilobits[Int(index)] % hertz
      let isPadded = rest >= hertz
      if isPadded { rest -= hertz }
      sound.append(Self.sizes[Int(index)][isPadded ? 1 : 0])
    }
    if let figures {
      let count = sound.reduce(417) { $0 + $1.count }
      let table: [UInt8]? = figures == "Xing" ? (0..<100).map { UInt8($0 * 256 / 100) } : nil
      bytes += FileMeterTests.xing(figures, packets: sound.count, bytes: count, table: table, silence: (576, 1_105))
    }
    starts.append(FileMap.SeekPoint(byte: bytes.count, time: duration))
    for packet in sound {
      packets.append(FileMap.SeekPoint(byte: bytes.count, time: duration))
      bytes += packet
      duration += Self.packetTime
    }
  }

  /// Replaces bytes.
  mutating func replace(at place: Int, by other: [UInt8]) {
    for (index, byte) in other.enumerated() where place + index < bytes.count { bytes[place + index] = byte }
  }

  /// Appends bytes without sound.
  mutating func append(_ other: [UInt8]) { bytes += other }

  /// A packet of each bit rate, without and with padding.
  private static let sizes: [[[UInt8]]] =
    [[]]
    + (1...14).map { index in
      [false, true].map { Build.mpeg(bitRate: UInt8(index), padding: $0, seed: UInt64(index)) }
    }

  static let packetTime = StreamTime(frames: FrameCount(1_152), at: .cd)
  private static let kilobits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]

  /// A meter after the first `count` bytes.
  func meter(_ count: Int = 20_000) -> FileMeter {
    var meter = FileMeter()
    for packet in Framed(Array(bytes.prefix(count)), isOpen: true).packets {
      _ = meter.process(packet.info, packet.bytes.span)
    }
    return meter
  }

  struct Search {
    var outcome: PartFinder.Outcome?
    var map: FileMap?
    var probes: [PartFinder.Probe] = []

    var byteCount: Int { probes.reduce(0) { $0 + $1.byteCount } }
  }

  /// Searches the parts, with at most `most` answers. `tail`: length of the tags at the end, if known. `head`: number
  /// of bytes that are known.
  func search(tail: Int = 0, most: Int = .max, head: Int = 20_000) -> Search {
    let meter = meter(head)
    var search = Search()
    guard var finder = meter.partFinder(total: bytes.count, tail: tail) else { return search }
    while let probe = finder.probe {
      guard search.probes.count < min(most, 100) else {
        finder.stop()
        break
      }
      search.probes.append(probe)
      let part = Array(bytes[probe.byte..<probe.byte + probe.byteCount])
      finder.process(PartSample(part.span, at: probe.byte, total: bytes.count))
    }
    search.outcome = finder.outcome
    if case .parts(let parts) = finder.outcome { search.map = meter.map(of: parts) }
    return search
  }

  /// The maximum error of the map's times, in seconds, among every tenth packet.
  func maxError(of map: FileMap) -> Double {
    stride(from: 0, to: packets.count, by: 10).map { index in
      abs((map.time(at: packets[index].byte) + map.lead - packets[index].time).seconds)
    }.max() ?? 0
  }
}
