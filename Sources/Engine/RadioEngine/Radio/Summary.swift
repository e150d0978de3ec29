/// The figures of a run.
public struct Summary: Equatable, Sendable {
  /// Seconds of programme played.
  public var heard = 0.0
  /// Periods that came too late.
  public var underruns = 0
  /// Underruns of the card or of a paced sink.
  public var xruns = 0
  /// New connections to live stations, each joined to the buffer.
  public var stitches = 0
  /// New connections that replaced a lost one, for stations and files. Failed attempts and abandoned second connections
  /// do not count.
  public var reconnects = 0
  /// Rescues of silent buffers (`Event.rescued`).
  public var rescues = 0
  /// Seconds of programme known to be lost.
  public var lost = 0.0
  /// Bytes of audio received.
  public var bytes = 0
  /// Titles that became audible.
  public var titles = 0
  /// Peak anonymous memory, in KiB.
  public var rssAnonPeak = 0

  /// Creates the summary of a run without audio.
  public init() {}

  /// Adds the figures of a radio that was created later.
  public mutating func add(_ next: Summary) {
    heard += next.heard
    underruns += next.underruns
    xruns += next.xruns
    stitches += next.stitches
    reconnects += next.reconnects
    rescues += next.rescues
    lost += next.lost
    bytes += next.bytes
    titles += next.titles
    rssAnonPeak = max(rssAnonPeak, next.rssAnonPeak)
  }
}
