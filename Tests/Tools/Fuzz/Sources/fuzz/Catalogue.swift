import Glibc

/// All targets; the targets with the most severe failures first.
enum Catalogue {
  static var targets: [any FuzzTarget.Type] {
    [
      MpegFraming.self, AdtsFraming.self, RawFraming.self, MpegDecoding.self, AacDecoding.self,
      OggFraming.self, FlacFraming.self, WavReading.self, AiffReading.self, CommentReading.self,
      PartSearching.self, PacketDecoding.self,
      PlsReading.self, M3uReading.self, XspfReading.self, AsxReading.self, OpmlReading.self,
      HlsReading.self, LatmReading.self, TransportReading.self, FragmentReading.self, ContainerReading.self,
      FeedReading.self, NowPlayingReading.self, NowPlayingTimes.self, AudioCastReading.self,
      ConfigurationReading.self, StationsReading.self, BoardReadingTarget.self,
      Stitching.self, BlockKeeping.self, Addresses.self, Heads.self, Intake.self,
      IcyDemuxing.self, IcyBlock.self, EncodedTitles.self, Titles.self, TagSearch.self, XingSearch.self, Sniffing.self,
      OutputReading.self, Rendition.self, Conversion.self,
      ControlLines.self, Conversations.self, DirectoryReading.self, DirectoryTable.self, DirectoryTree.self,
      ServiceReading.self, JsonReading.self, RoomReading.self, ScriptTalk.self, ServerSettingsReading.self,
      HomeOrders.self, BrokerPackets.self, WebRequests.self, WebNames.self,
    ]
  }
}

enum Seeds {
  /// Writes the seeds to an existing folder as `seed-0`, `seed-1` and so on.
  static func write(_ seeds: [[UInt8]], to folder: String) {
    for (number, seed) in seeds.enumerated() {
      let path = "\(folder)/seed-\(number)"
      guard let file = fopen(path, "w") else { fatalError("Cannot write \(path).") }
      fwrite(seed, 1, seed.count, file)
      fclose(file)
    }
  }
}
