import Blocks
import Units

extension SegmentFacts? {
  func encode(to encoder: inout NoticeEncoder) {
    encoder.append(self == nil ? 0 : 1)
    guard let facts = self else { return }
    encoder.append(facts.targetDuration)
    encoder.append(facts.window)
    encoder.append(facts.chosen ?? -1)
    let told = facts.variants.prefix(SegmentFacts.maxVariants)
    encoder.append(told.count)
    for variant in told {
      encoder.append(variant.bitRate ?? -1)
      encoder.append(variant.codecs)
    }
  }
}

extension SegmentFacts {
  init?(from decoder: inout NoticeDecoder) {
    guard decoder.int() == 1 else { return nil }
    self.init(targetDuration: decoder.time(), window: decoder.time())
    let chosen = decoder.int()
    self.chosen = chosen < 0 ? nil : chosen
    for _ in 0..<max(0, min(decoder.int(), Self.maxVariants)) {
      let bitRate = decoder.int()
      variants.append(Variant(bitRate: bitRate < 0 ? nil : bitRate, codecs: decoder.text()))
    }
  }
}
