import Bakelite
import Glibc

let arguments = CommandLine.arguments
guard arguments.count == 3, let output = OutputRequest(arguments[2]) else {
  print("Name a station and an output, such as: Player http://radio.example:8000/live alsa:default")
  exit(1)
}
do {
  let radio = try Radio(RadioSettings(), output)
  radio.addObserver { event, seconds in
    if case .metadataChanged(let title, _) = event { print(seconds, title.text) }
  }
  radio.tune(StationRequest(url: arguments[1]))
  radio.run()
  print("Heard \(radio.close().heard) s.")
  guard let failure = radio.failure?.sentence ?? radio.sinkFailure?.description else { exit(0) }
  print(failure)
} catch { print(error) }
exit(1)
