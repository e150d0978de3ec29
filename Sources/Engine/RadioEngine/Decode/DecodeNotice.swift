import Blocks
import System
import Units

enum DecodeNotice: Equatable, Notice {
  /// The format of all following audio; `output` is the rate of the sink.
  case format(codec: Codec, rate: SampleRate, channels: Int, output: SampleRate)
  /// Enough is buffered (`PrebufferGate`): playback starts or resumes.
  case flowing
  /// The buffer ran empty, and more packets are expected.
  case starved
  case sought(at: StreamTime, seek: UInt32)
  /// The ring dropped the unplayed packets at `from`; playback continues at `to`. `seek` is the last seek.
  case leapt(from: StreamTime, to: StreamTime, seek: UInt32)
  /// The audio of another encoder continues the programme: `overlap` was buffered before, `lost` is missing.
  case joined(overlap: StreamTime, lost: StreamTime, isEstimated: Bool)
  case undecodable
  /// The programme has ended, and none of its packets could be decoded.
  case noAudio

  var kind: Int? {
    switch self {
    case .format: 0
    case .flowing: 1
    case .starved: 2
    case .sought: 3
    case .leapt: 4
    case .undecodable: 5
    case .noAudio: 6
    case .joined: 7
    }
  }
}
