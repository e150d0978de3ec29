import Foundation
import MediaSupport
import StationSupport
import System
import TestSupport

/// A station with one fault for each path: `/cut/7` disconnects repeatedly and is named so.
final class FaultyStation: Sendable {
  enum Fault: String, CaseIterable {
    case none
    /// The station disconnects every few seconds.
    case cut
    /// The station resets the connection every few seconds.
    case reset
    case stall
    /// Every second request gets an error.
    case refuse
    /// The station sends too slowly.
    case thin
    case formats
    case file
    case gone
    case noise
    case deaf

    var isAudible: Bool { ![.gone, .noise, .deaf].contains(self) }
  }

  private let station: ScriptedStation

  init() throws {
    let visits = Locked<[String: Int]>([:])
    let (air, formats) = (Air(Clip.long(150)), Air(Self.mixed))
    let file = Clip.long(20).bytes
    station = try ScriptedStation { visit in
      let count = visits.withLock { visits in
        visits[visit.path, default: -1] += 1
        return visits[visit.path] ?? 0
      }
      let fault = visit.path.split(separator: "/").first.flatMap { Fault(rawValue: String($0)) } ?? .none
      let head = StationAction.head(
        "200 OK", ["Content-Type: audio/mpeg", "icy-name: \(visit.path)", "icy-metaint: \(Air.metaint)"])
      let short = 0.3 + Double(count * 7 % 5) / 2
      switch fault {
      case .none: return [head] + air.acts(visit)
      case .cut: return [head] + air.acts(visit, for: short)
      case .reset: return [head] + air.acts(visit, for: short) + [.reset]
      case .stall: return [head] + air.acts(visit, for: short) + [.stall]
      case .refuse: return count % 2 == 1 ? StationAction.response("503 Sorry") : [head] + air.acts(visit, for: short)
      case .thin: return [head] + air.acts(visit, speed: 0.6)
      case .formats: return [head] + formats.acts(visit)
      case .file: return FileServer(file).actions(for: visit)
      case .gone: return StationAction.response("404 Not Found")
      case .noise: return StationAction.response("200 OK", "<html><body>\(visit.path)</body></html>", type: "text/html")
      case .deaf: return [.stall]
      }
    }
  }

  func url(_ path: String) -> String { station.url(path) }

  func close() { station.close() }

  /// MP3 at 44.1 and 48 kHz in stereo and mono, and AAC, in turn.
  private static var mixed: Clip {
    var bytes: [UInt8] = []
    for lap in 0..<6 {
      bytes += ToneMp3.frames(150, kilobits: 64, seed: UInt64(lap + 10))
      bytes += ToneMp3.frames(150, rate: 48_000, channels: 1, kilobits: 64, seed: UInt64(lap + 20))
      bytes += Clip.aac(3).bytes
    }
    return Clip(bytes)
  }

  /// An endless programme, identical for all listeners: a repeated clip with titles.
  private struct Air: Sendable {
    static let metaint = 4_000
    private let bytes: [UInt8]
    private let borders: [Int]
    private let byteRate: Double
    private let began = monotonicSeconds()

    init(_ clip: Clip) {
      bytes = clip.bytes
      borders = clip.packets.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.bytes.count) }.dropLast()
      byteRate = clip.byteRate
    }

    func acts(_ visit: ScriptedStation.Request, for seconds: Double = 60, speed: Double = 1) -> [StationAction] {
      let burst = Int(3 * byteRate)
      let count = burst + Int(seconds * byteRate)
      let age = Int((visit.time - began) * byteRate)
      let entry = age % bytes.count
      let start = borders.first { $0 >= entry } ?? 0
      var part: [UInt8] = []
      part.reserveCapacity(count)
      while part.count < count {
        let from = part.isEmpty ? start : 0
        part += bytes[from..<min(bytes.count, from + count - part.count)]
      }
      let every = Int(5 * byteRate)
      let titles = (age / every...(age + count) / every).map {
        (at: max(0, $0 * every - age), text: "\(visit.path) - \($0)")
      }
      let mixed = Icy.interleave(part, metaint: Self.metaint, titles: titles)
      return [.pace(mixed, perSecond: byteRate * speed, burst: burst)]
    }
  }
}
