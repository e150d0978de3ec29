import Listings
import Testing

struct TextConverterTests {
  @Test(
    "An untrusted converter is not opened, under any spelling",
    arguments: ["ISO-2022-CN-EXT", "iso-2022-cn-~ext", "ISO~2022.CN_EXT//", "ISO2022CNEXT", "iso 2022 cn ext"])
  func unsafeEncoding(_ name: String) { #expect(TextConverter(name) == nil) }
}
