import Foundation
import TestSupport
import Testing

@testable import Web

/// The page's files, plain and compressed.
struct PageFileTests {
  private static let script = Array("export const a = 1;".utf8)

  @Test(
    "A browser chooses the coding by its header",
    arguments: [
      (nil, false), ("", false), ("gzip", true), ("GZip", true), ("x-gzip", true), ("deflate, br", false),
      ("gzip, deflate, br, zstd", true), ("br;q=1.0,gzip;q=0.5", true), ("gzip;q=0", false), ("gzip;q=0.000", false),
      ("gzip ; q=0.001", true), ("*", true), ("*;q=0", false), ("*, gzip;q=0", false), ("gzip, *;q=0", true),
      ("identity;q=1, gzip;q=0.5", false), ("identity;q=0.5, gzip", true), ("identity", false), ("gzip;q=x", false),
      ("gzip;q=2", false), ("gzip;q=nan", false), ("gzip;q=", false), ("gzip;a=1;q=1", false), (",,;,gzip\t", true),
    ])
  func codings(_ header: String?, _ allowsGzip: Bool) {
    #expect(AcceptedCodings(header).allowsGzip == allowsGzip)
  }

  @Test("A file with a compressed form is sent in the form that the browser accepts")
  func forms() async throws {
    let packed = try Compression.gzip(Self.script)
    try await Stage.run {
      let bench = try WebBench { _, folder in folder.write(packed, to: "page/core.js.gz") }
      let browser = try bench.browser(signsIn: false)
      let plain = try browser.request("GET", "/core.js")
      #expect(plain.body == Self.script && plain.headers["content-encoding"] == nil)
      let answer = try browser.request("GET", "/core.js", nil, ["Accept-Encoding: gzip, br"])
      #expect(answer.body == packed && answer.headers["content-encoding"] == "gzip")
      #expect(answer.headers["content-type"] == plain.headers["content-type"])
      #expect(plain.headers["vary"] == "Accept-Encoding" && answer.headers["vary"] == "Accept-Encoding")
      let (tag, plainTag) = (try #require(answer.headers["etag"]), try #require(plain.headers["etag"]))
      #expect(tag != plainTag)
      let again = try browser.request("GET", "/core.js", nil, ["Accept-Encoding: gzip", "If-None-Match: \(tag)"])
      #expect(again.status == 304 && again.body.isEmpty && again.headers["vary"] == "Accept-Encoding")
      let other = try browser.request("GET", "/core.js", nil, ["Accept-Encoding: gzip", "If-None-Match: \(plainTag)"])
      #expect(other.status == 200 && other.body == packed)
      // A file without a compressed form, and the compressed form itself.
      let alone = try browser.request("GET", "/text/en.json", nil, ["Accept-Encoding: gzip"])
      #expect(alone.headers["content-encoding"] == nil && alone.headers["vary"] == nil)
      #expect(try browser.request("GET", "/core.js.gz").status == 404)
    }
  }

  @Test("A compressed form that is older than its file is ignored")
  func oldForm() throws {
    let folder = TemporaryFolder()
    folder.write(Array("<!doctype html>".utf8), to: "index.html")
    folder.write(Self.script, to: "core.js")
    let path = folder.write(Array("old".utf8), to: "core.js.gz")
    #expect(try PageFiles(folder: folder.path).file(at: "/core.js")?.packed != nil)
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
    #expect(try PageFiles(folder: folder.path).file(at: "/core.js")?.packed == nil)
  }

  @Test("A browser with an empty cache receives at most 100,000 bytes of files in one language")
  func weight() async throws {
    let source = Repository.root + "/config/web"
    let names = try FileManager.default.subpathsOfDirectory(atPath: source).filter {
      ($0 as NSString).pathExtension != "" && $0 != "openapi.json"
    }
    try await Stage.run {
      let bench = try WebBench { options, folder in
        let page = folder.path + "/packed"
        try? FileManager.default.copyItem(atPath: source, toPath: page)
        for name in names {
          if let packed = try? Compression.gzip(Repository.bytes("config/web/" + name)) {
            folder.write(packed, to: "packed/\(name).gz")
          }
        }
        options.files = page
      }
      let browser = try bench.browser(signsIn: false)
      var counts: [String: Int] = [:]
      for name in names {
        let answer = try browser.request("GET", "/" + name, nil, ["Accept-Encoding: gzip, deflate, br, zstd"])
        #expect(answer.status == 200 && answer.headers["content-encoding"] == "gzip", "\(name)")
        counts[name] = answer.body.count
      }
      let texts = counts.filter { $0.key.hasPrefix("text/") }.values
      let largest = try #require(texts.max())
      let total = counts.values.reduce(largest - texts.reduce(0, +), +)
      print("The page has \(total) bytes as served.")
      #expect(names.count > 10 && total <= 100_000, "\(counts)")
    }
  }
}
