import AudioOutput
import Network
import RadioEngine

/// Sentences of the engine, which name no option, with the option that remedies the fault.
enum OptionAdvice {
  static func sentence(_ error: SinkError) -> String {
    switch error {
    case .noSuchDevice(_, existing: []): "\(error) --output also accepts raw:PATH, wav:PATH and null."
    case .noSuchDevice, .deviceBusy: "\(error) The option is --output alsa:DEVICE."
    default: error.description
    }
  }

  static func sentence(_ error: RadioError) -> String {
    switch error {
    case .noSink(let error): sentence(error)
    case .noMemory: "\(error) The option is --buffer-blocks."
    case .noThread: error.description
    }
  }

  static func sentence(_ fault: PlaybackFault) -> String {
    switch (fault.detail, fault.status) {
    case (.fewBlocks(let needed), _): "\(fault.sentence) The option is --buffer-blocks \(needed)."
    case (.refused(hasCredentials: false), 401), (.refused(hasCredentials: false), 407):
      "\(fault.sentence) The option is --user NAME:PASSWORD."
    default: fault.sentence
    }
  }
}
