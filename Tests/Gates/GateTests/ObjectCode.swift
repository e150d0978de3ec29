import Foundation
import Testing

/// The functions of object files and all that each refers to, as objdump tells it.
///
/// What a call or a load means is read from relocations and from the names that objdump puts beside an address, so the
/// machine's instruction set hardly matters.
struct ObjectCode {
  /// A function of the objects.
  struct Function {
    /// The functions and data that it names.
    var references: Set<String> = []
    /// Calls whose target only the running program knows.
    var indirectCallCount = 0
    /// The same for jumps: the tables of switches.
    var indirectJumpCount = 0
    /// Instructions that keep a load behind the stores before it.
    var fenceCount = 0
    /// Where its source begins, with debugging information.
    var place: (path: String, line: Int)?
  }

  private(set) var functions: [String: Function] = [:]

  /// Reads object files; `places` asks for `Function.place` too.
  init(_ objects: [String], places: Bool = false) throws {
    let tool = try #require(Tool.disassembler, "objdump is in PATH")
    let answer = try tool.run(["-d", "-r", "--no-show-raw-insn"] + (places ? ["-l"] : []) + objects)
    try #require(answer.status == 0, "\(answer.text)")
    self.init(listing: answer.text)
  }

  /// Reads what objdump wrote.
  init(listing: String) {
    var reader = ListingReader()
    for line in listing.utf8.split(separator: UInt8(ascii: "\n")) { reader.read(Substring(line)) }
    functions = reader.finish()
  }

  /// The functions whose name contains a word.
  func named(_ word: String) -> [String] { functions.keys.filter { $0.contains(word) }.sorted() }

  /// All that can be reached from some functions.
  func reach(from entries: [String]) -> Reach {
    var reach = Reach()
    var next = entries[...]
    for entry in entries { reach.functions[entry] = .some(nil) }
    while let caller = next.popFirst() {
      for name in functions[caller]?.references.sorted() ?? [] {
        if functions[name] == nil {
          if reach.externals[name] == nil { reach.externals[name] = caller }
        } else if reach.functions[name] == nil {
          reach.functions[name] = caller
          next.append(name)
        }
      }
    }
    return reach
  }
}

/// What was reached, each with who named it first.
struct Reach {
  /// Functions of the objects; an entry was named by nobody.
  var functions: [String: String?] = [:]
  /// What the objects do not have.
  var externals: [String: String] = [:]

  /// The way to a name, for people.
  func path(to name: String) -> String {
    var names = [name]
    var caller = externals[name] ?? functions[name] ?? nil
    while let known = caller {
      names.append(known)
      caller = functions[known] ?? nil
    }
    return names.reversed().map(readable).joined(separator: " → ")
  }
}

/// A symbol as it was written in Swift; C's stay as they are.
func readable(_ symbol: String) -> String {
  typealias Demangle =
    @convention(c) (
      UnsafePointer<CChar>, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
    ) -> UnsafeMutablePointer<CChar>?
  guard let address = dlsym(nil, "swift_demangle"),
    let text = unsafeBitCast(address, to: Demangle.self)(symbol, symbol.utf8.count, nil, nil, 0)
  else { return symbol }
  defer { free(text) }
  return String(cString: text)
}

/// Reads objdump's listing, GNU's or LLVM's, line by line.
private struct ListingReader {
  /// A section of one of the files.
  private struct Section: Hashable {
    var file: Int
    var name: Substring
  }

  private var functions: [String: ObjectCode.Function] = [:]
  private var starts: [Section: [(offset: Int, name: String)]] = [:]
  /// Relocations that name a place in a section instead of a function.
  private var places: [(function: String, section: Section, offset: Int)] = []

  private var section = Section(file: 0, name: "")
  private var name = ""
  private var function = ObjectCode.Function()
  /// What the last instruction seems to refer to, until a relocation says better.
  private var guess: String?
  private var isIndirectCall = false
  private var isIndirectJump = false
  private var isLocked = false

  mutating func read(_ line: Substring) {
    guard let first = line.utf8.first else { return }
    if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
      if !name.isEmpty { readInside(line) }
    } else if line.hasSuffix(">:"), let open = line.firstIndex(of: "<"),
      let offset = Int(line[..<open].dropLast(), radix: 16)
    {
      begin(String(line[open...].dropFirst().dropLast(2)))
      starts[section, default: []].append((offset, name))
    } else if line.hasPrefix("Disassembly of section ") {
      begin("")
      section.name = line.dropFirst(23).dropLast()
    } else if line.contains("file format ") {
      begin("")
      section.file += 1
    } else if function.place == nil, let slash = line.firstIndex(of: "/"), let colon = line.lastIndex(of: ":") {
      let number = line[colon...].dropFirst().prefix { $0.isNumber }
      if slash < colon { function.place = Int(number).map { (String(line[slash..<colon]), $0) } }
    }
  }

  private mutating func begin(_ next: String) {
    settle()
    // What several files bring under one name is taken together.
    if !name.isEmpty { functions[name] = function }
    name = next
    function = functions[next] ?? ObjectCode.Function()
  }

  /// An instruction, or a relocation of the instruction before it.
  private mutating func readInside(_ line: Substring) {
    let isRelocation = line.contains("R_")
    let words = line.split(maxSplits: isRelocation ? 3 : 2, whereSeparator: \.isWhitespace)
    guard words.count > 1 else { return }
    if words.count > 2, words[1].hasPrefix("R_") {
      (guess, isIndirectCall, isIndirectJump) = (nil, false, false)
      relocate(kind: words[1], target: words[2])
      return
    }
    settle()
    let operands = words.dropFirst(2).first?.drop(while: \.isWhitespace) ?? ""
    // On x86-64 it is mfence, or a locked instruction that changes nothing on the stack; on arm64 dmb. LLVM's objdump
    // gives "lock" a line of its own.
    let isOr = isLocked && words[1].hasPrefix("or") || words[1] == "lock" && operands.hasPrefix("or")
    isLocked = words[1] == "lock" && operands.isEmpty
    let isFence = words[1] == "mfence" || words[1] == "dmb" || isOr && operands.hasSuffix("(%rsp)")
    function.fenceCount += isFence ? 1 : 0
    isIndirectCall = words[1].hasPrefix("call") && operands.hasPrefix("*") || words[1].hasPrefix("blr")
    isIndirectJump = words[1].hasPrefix("jmp") && operands.hasPrefix("*") || words[1] == "br"
    guard let open = operands.firstIndex(of: "<"), operands.hasSuffix(">") else { return }
    let inside = operands[open...].dropFirst().dropLast()
    guess = String(Self.split(inside).name)
  }

  /// The last instruction stands as it was read.
  private mutating func settle() {
    if let guess, guess != name { function.references.insert(guess) }
    function.indirectCallCount += isIndirectCall ? 1 : 0
    function.indirectJumpCount += isIndirectJump ? 1 : 0
    (guess, isIndirectCall, isIndirectJump) = (nil, false, false)
  }

  private mutating func relocate(kind: Substring, target: Substring) {
    let (symbol, addend) = Self.split(target)
    if symbol.hasPrefix(".text") {
      // On x86-64 a relative address counts from the instruction's end, four bytes further on.
      let offset = addend + (kind.hasPrefix("R_X86_64_P") ? 4 : 0)
      places.append((name, Section(file: section.file, name: symbol), offset))
    } else {
      function.references.insert(String(symbol))
    }
  }

  /// A name and the offset that stands behind it.
  private static func split(_ text: Substring) -> (name: Substring, offset: Int) {
    guard let zero = text.range(of: "0x", options: .backwards), zero.lowerBound > text.startIndex,
      let offset = Int(text[zero.upperBound...], radix: 16)
    else { return (text, 0) }
    let sign = text.index(before: zero.lowerBound)
    switch text[sign] {
    case "+": return (text[..<sign], offset)
    case "-": return (text[..<sign], -offset)
    default: return (text, 0)
    }
  }

  /// All functions, when every line was read.
  mutating func finish() -> [String: ObjectCode.Function] {
    begin("")
    for (function, section, offset) in places {
      let found = starts[section]?.last { $0.offset <= offset }?.name
      if found != function { functions[function]?.references.insert(found ?? String(section.name)) }
    }
    return functions
  }
}
