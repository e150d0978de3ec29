import Units

/// The callbacks of `OutputKeeper`, implemented by `Playback`.
protocol OutputClient: AnyObject {
  func emit(_ event: Event)
  /// Pauses, because the device is about to be released.
  func pauseForDevice()
  /// Resumes playback if `pauseForDevice` paused it.
  func resumeForDevice()
  /// Seeks back to the end of the audible audio, because the device lost the rest.
  func goBackToHeard()
  /// Decodes again from `place`, because the new device cannot play the decoded rate.
  func decodeAnew(from place: StreamTime)
  /// Handles a sleep of the machine. The sleep counts as part of a pause.
  func slept(_ sleep: Duration)
  func connectAfterSleep()
  func sinkFailedForGood()
}
