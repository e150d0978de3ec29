import Bakelite

@_noLocks @_noAllocation
func softer(_ context: UnsafeMutableRawPointer?, _ samples: UnsafeMutablePointer<Int32>?, _ frames: Int) {
  guard let samples else { return }
  for index in 0..<(2 &* frames) { samples[index] = samples[index] / 2 }
}

func softRadio(_ output: OutputRequest) throws -> Radio {
  var settings = RadioSettings()
  settings.taps = [Tap(softer, created: { format in print("Sound at \(format.rate.hertz) Hz.") })]
  return try Radio(settings, output)
}
