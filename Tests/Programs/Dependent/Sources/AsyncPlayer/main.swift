import BakeliteAsync
import Glibc

let arguments = CommandLine.arguments
guard arguments.count == 3, let output = OutputRequest(arguments[2]) else {
  print("Name a station and an output, such as: AsyncPlayer http://radio.example:8000/live alsa:default")
  exit(1)
}
do {
  let radio = try await AsyncRadio(RadioSettings(), output)
  let events = radio.events
  await radio.tune(StationRequest(url: arguments[1]))
  for await event in events {
    switch event {
    case .metadataChanged(let title, _): print(title.text)
    case .stopped:
      let failure = await radio.perform { $0.failure?.sentence ?? $0.sinkFailure?.description }
      await radio.close()
      guard let failure else { continue }
      print(failure)
      exit(1)
    case .summary(let summary): print("Heard \(summary.heard) s.")
    default: break
    }
  }
} catch {
  print(error)
  exit(1)
}
