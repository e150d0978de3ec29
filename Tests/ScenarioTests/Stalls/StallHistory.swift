extension StallTable {
  /// Every case that ever failed, so that it is run each time; a test sees that each line can be read.
  static var everFailed: [StallCase] { everFailedNames.compactMap { StallCase($0) } }

  static let everFailedNames = [
    // A file whose data stood still was silent for ever: it gathered 7 s, and its download was paused at 3 s.
    "file stall=7s@4s blocks=1200 adaptive 128k line=50.0",
    "file stall=10s@4s blocks=1200 adaptive 128k line=50.0",
    "episode stall=7s@4s blocks=1200 adaptive 128k line=50.0",
    "list stall=7s@4s blocks=1200 adaptive 128k line=50.0",
    // So was a live stream whose ring could not hold what was to be gathered.
    "live stall=2.6s@midst blocks=24 adaptive 128k line=1.0 restart=none",
    "live stall=2.6s@midst blocks=16 adaptive 128k line=1.0 restart=none",
    "live stall=2.6s@midst blocks=24 adaptive 320k line=1.0 restart=none",
    // A station that restarted with the same content was silent for the length of the history.
    "live stall=1s@40s blocks=1200 adaptive 128k line=1.0 restart=same",
    // A file never sounded where the wait time was longer than the download was allowed to be ahead.
    "file stall=0s@start blocks=1200 fixed 128k line=1.0 wait=12",
    "file stall=0s@start blocks=1200 adaptive 128k line=1.0 wait=12",
    "file stall=0s@start blocks=1200 fixed 128k line=2.0 wait=12",
  ]
}
