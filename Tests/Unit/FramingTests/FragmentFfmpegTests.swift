import Foundation
import Framing
import Testing

/// A folder for FFmpeg's output; `deinit` removes the folder.
private final class Bench {
  static let tool = ProcessInfo.processInfo.environment["PATH", default: "/usr/bin"].split(separator: ":")
    .map { "\($0)/ffmpeg" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  let path = NSTemporaryDirectory() + "bakelite-fragments-\(UUID().uuidString)/"

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func bytes(_ name: String) -> [UInt8] { FragmentFileTests.bytes(path + name) }

  func part(_ name: Substring, _ range: Range<Int>?) -> [UInt8] {
    let bytes = bytes(String(name))
    return Array(bytes[range ?? 0..<bytes.count])
  }

  func write(_ arguments: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.tool))
    process.currentDirectoryURL = URL(filePath: path)
    process.arguments = ["-v", "error", "-nostdin", "-y"] + arguments.split(separator: " ").map(String.init)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "ffmpeg \(arguments)")
  }

  /// Writes six seconds of audio to `sound.mp4` and by another muxer, and returns the latter's frames.
  func makeSound(_ options: String, by muxer: String = "adts") throws -> [[UInt8]] {
    try write("-f lavfi -i anoisesrc=d=6:a=0.2:seed=5:r=44100 -ac 2 \(options) sound.mp4")
    try write("-i sound.mp4 -c copy -map 0 -f \(muxer) frames")
    let frames = Framed(bytes("frames")).bytes
    try #require(frames.count > 200)
    return frames
  }
}

/// Fragments written by FFmpeg, compared with the frames that FFmpeg writes as ADTS or MPEG audio.
@Suite(.enabled(if: Bench.tool != nil, "no ffmpeg here"))
struct FragmentFfmpegTests {
  @Test(
    "Every form of a file is read",
    arguments: [
      "empty_moov", "empty_moov+default_base_moof", "empty_moov+omit_tfhd_offset", "cmaf", "dash+delay_moov",
      "dash+global_sidx", "empty_moov+separate_moof+frag_every_frame", "isml+empty_moov",
      "empty_moov+prefer_icc+use_metadata_tags",
    ])
  func forms(flags: String) throws {
    let bench = try Bench()
    let frames = try bench.makeSound("-c:a aac -b:a 96k")
    try bench.write("-i sound.mp4 -c copy -movflags \(flags) -frag_duration 700000 -f mp4 out.mp4")
    for step in [13, 8_192] {
      var reader = FragmentReader()
      #expect(ReadFragments(bench.bytes("out.mp4"), with: &reader, step: step).packets == frames)
      #expect(reader.refusal == nil && reader.firstTime?.value == 0)
    }
  }

  @Test("Audio next to a picture track is read", arguments: ["", "+default_base_moof", "+separate_moof", "+cmaf"])
  func picture(flags: String) throws {
    let bench = try Bench()
    let frames = try bench.makeSound("-c:a aac -b:a 64k")
    try bench.write(
      "-f lavfi -i testsrc=d=6:s=160x120:r=10 -i sound.mp4 -c:v mpeg4 -c:a copy -map 0 -map 1 "
        + "-movflags frag_keyframe+empty_moov\(flags) out.mp4")
    var reader = FragmentReader()
    #expect(ReadFragments(bench.bytes("out.mp4"), with: &reader, step: 999).packets == frames)
    #expect(reader.refusal == nil)
  }

  @Test(
    "HLS segments are read as files or as byte ranges", arguments: ["-c:a aac -ar 48000", "-c:a mp2"], [false, true])
  func segments(options: String, isOneFile: Bool) throws {
    let bench = try Bench()
    let frames = try bench.makeSound(options, by: options.contains("aac") ? "adts" : "data")
    try bench.write(
      "-i sound.mp4 -c copy -f hls -hls_time 1 -hls_list_size 0 -hls_segment_type fmp4 "
        + (isOneFile ? "-hls_flags single_file " : "") + "list.m3u8")
    let list = String(decoding: bench.bytes("list.m3u8"), as: UTF8.self).split(separator: "\n")
    var reader = FragmentReader()
    var (audio, range, segmentCount): ([UInt8], Range<Int>?, Int) = ([], nil, 0)
    for line in list {
      if line.hasPrefix("#EXT-X-MAP") {
        let words = line.split(separator: "\"")
        _ = ReadFragments(bench.part(words[1], words.last.flatMap { Self.range($0) }), with: &reader)
      } else if line.hasPrefix("#EXT-X-BYTERANGE:") {
        range = Self.range(line.dropFirst(17))
      } else if !line.hasPrefix("#") {
        reader.reset()
        audio += ReadFragments(bench.part(line, range), with: &reader, step: 500).audio
        segmentCount += 1
      }
    }
    #expect(reader.refusal == nil && segmentCount > 3 && (range != nil) == isOneFile)
    #expect(Framed(audio).bytes == frames)
  }

  static func range(_ text: Substring) -> Range<Int>? {
    let parts = text.split(separator: "@").compactMap { Int($0) }
    return parts.count == 2 ? parts[1]..<parts[1] + parts[0] : nil
  }

  @Test(
    "Other codecs are refused by name",
    arguments: [
      ("-c:a ac3", .ac3), ("-c:a eac3", .eac3), ("-c:a flac", .flac), ("-c:a alac", .alac),
      ("-c:a opus", .opus),
    ] as [(String, RefusedCodec)])
  func refused(options: String, codec: RefusedCodec) throws {
    let bench = try Bench()
    try bench.write(
      "-f lavfi -i anoisesrc=d=1:r=48000 -ac 2 -strict -2 \(options) -movflags delay_moov -frag_duration 500000 out.mp4"
    )
    var reader = FragmentReader()
    #expect(ReadFragments(bench.bytes("out.mp4"), with: &reader, step: 400).audio.isEmpty)
    #expect(reader.refusal == codec)
  }

  @Test func aFileThatIsNotFragmentedIsRefused() throws {
    let bench = try Bench()
    for flags in ["", "-movflags faststart "] {
      try bench.write("-f lavfi -i anoisesrc=d=2:r=44100 -c:a aac \(flags)out.m4a")
      var reader = FragmentReader()
      #expect(ReadFragments(bench.bytes("out.m4a"), with: &reader).audio.isEmpty)
      #expect(reader.refusal == .other)
    }
  }
}
