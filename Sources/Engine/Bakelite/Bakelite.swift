// The engine as one library: `import Bakelite` exports the names for a program with a radio. Each name is listed,
// because the engine's targets also have public names for each other.

@_exported import RadioEngine

@_exported import enum AudioOutput.SinkError
@_exported import struct AudioOutput.OutputRequest
@_exported import struct AudioOutput.PcmFormat
@_exported import enum Blocks.DecodeWait
@_exported import enum Blocks.NetWait
@_exported import enum Blocks.RenderState
@_exported import struct Blocks.ArenaError
@_exported import struct Blocks.BlockStatistics
@_exported import enum Framing.PlaylistKind
@_exported import enum Framing.RefusedKind
@_exported import class Http.AddressOrigin
@_exported import enum Http.NetworkError
@_exported import struct Framing.Title
@_exported import struct Http.Credentials
@_exported import struct Metering.Decibels
@_exported import struct Metering.Level
@_exported import struct Network.ExternalMetadata
@_exported import struct Network.FileList
@_exported import struct Network.HoldRule
@_exported import struct Network.LowerRate
@_exported import struct Network.PlaybackFault
@_exported import struct Network.PrefetchRule
@_exported import struct Network.StationFacts
@_exported import struct Network.StationRequest
@_exported import enum Recordings.SongChoice
@_exported import struct Recordings.KeptSong
@_exported import struct Recordings.Recording
@_exported import struct Recordings.RecordingError
@_exported import struct Recordings.RecordingOrder
@_exported import struct Recordings.RecordingSettings
@_exported import enum Rendering.SampleFormat
@_exported import struct Rendering.Tap
@_exported import struct Rendering.TapFormat
@_exported import struct System.Clock
@_exported import struct System.ThreadError
@_exported import enum Units.Defaults
@_exported import enum Units.Limits
@_exported import struct Units.BitRate
@_exported import struct Units.ByteCount
@_exported import struct Units.CalendarDay
@_exported import struct Units.Duration
@_exported import struct Units.MonotonicTime
@_exported import struct Units.SampleRate
@_exported import struct Units.StationAddress
@_exported import struct Units.StationZone
@_exported import struct Units.StreamTime

/// The former name of `AddressOrigin`.
@available(*, deprecated, renamed: "AddressOrigin")
public typealias Referral = AddressOrigin
