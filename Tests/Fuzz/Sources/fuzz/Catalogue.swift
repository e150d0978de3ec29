/// Every target there is, the dearest failures first.
enum Catalogue {
  static var targets: [any FuzzTarget.Type] {
    [
      MpegFraming.self, AdtsFraming.self, RawFraming.self, MpegDecoding.self, AacDecoding.self,
      PlsReading.self, M3uReading.self, XspfReading.self, AsxReading.self, OpmlReading.self,
      FeedReading.self, AirReading.self, AirTimes.self, AudioCastReading.self,
      ConfigurationReading.self, StationsReading.self, BoardReadingTarget.self,
      Stitching.self, BlockKeeping.self, Addresses.self, Heads.self, Intake.self,
      IcyDemuxing.self, IcyBlock.self, EncodedTitles.self, Titles.self, TagSearch.self, XingSearch.self, Sniffing.self,
      NoticeReading.self, NoticePassing.self, Events.self, OutputReading.self, Rendition.self, Conversion.self,
      ControlLines.self, Conversations.self,
    ]
  }
}
