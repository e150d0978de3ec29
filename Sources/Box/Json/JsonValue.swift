import CJson

/// A JSON text that was read (RFC 8259), or a value in it.
///
/// What stands in it is not trusted: a value that is not of the type asked for is nil. A string may hold any character
/// but U+0000. Values are of the thread that read them.
public struct JsonValue {
  /// How much a text may ask for.
  public struct Limits: Sendable {
    /// Arrays and objects in each other; cJSON takes a frame of the stack for each.
    public var depth = 32
    /// Values; cJSON takes 64 bytes of memory for each.
    public var values = 16_384

    /// The usual limits.
    public init() {}
  }

  /// Keeps what was read as long as one of its values is there.
  private let tree: JsonTree
  private let node: UnsafePointer<cJSON>

  /// Reads a whole text (`cJSON_ParseWithLengthOpts`).
  ///
  /// - Throws: `JsonError`; before any memory is taken where the text is too large.
  public init(_ text: Span<UInt8>, limits: Limits = Limits()) throws(JsonError) {
    let measure = JsonMeasure(text)
    guard measure.depth <= limits.depth, measure.valueCount <= limits.values else { throw .tooLarge }
    guard !measure.hasNul, let tree = JsonTree(text) else { throw .malformed }
    self.init(tree, tree.root)
  }

  private init(_ tree: JsonTree, _ node: UnsafePointer<cJSON>) { (self.tree, self.node) = (tree, node) }

  /// A member of an object by its name, the first where there are several.
  public subscript(_ name: String) -> JsonValue? {
    guard cJSON_IsObject(node) != 0, let member = cJSON_GetObjectItemCaseSensitive(node, name) else { return nil }
    return JsonValue(tree, member)
  }

  /// A string's characters; U+FFFD stands for what is not UTF-8.
  public var string: String? {
    guard cJSON_IsString(node) != 0, let text = node.pointee.valuestring else { return nil }
    return String(cString: text)
  }

  /// A number.
  public var number: Double? {
    guard cJSON_IsNumber(node) != 0, node.pointee.valuedouble.isFinite else { return nil }
    return node.pointee.valuedouble
  }

  /// A whole number that stands in a range.
  public func integer(in range: ClosedRange<Int>) -> Int? {
    guard let value = number.flatMap({ Int(exactly: $0) }), range.contains(value) else { return nil }
    return value
  }

  /// True or false.
  public var bool: Bool? {
    if cJSON_IsTrue(node) != 0 { return true }
    return cJSON_IsFalse(node) != 0 ? false : nil
  }

  /// The members of an object, in their order.
  public var members: [(name: String, value: JsonValue)]? {
    guard cJSON_IsObject(node) != 0 else { return nil }
    return children.compactMap { child in child.pointee.string.map { (String(cString: $0), JsonValue(tree, child)) } }
  }

  /// Whether it is null.
  public var isNull: Bool { cJSON_IsNull(node) != 0 }

  /// The elements of an array, in their order.
  public var elements: [JsonValue]? {
    guard cJSON_IsArray(node) != 0 else { return nil }
    return children.map { JsonValue(tree, $0) }
  }

  private var children: [UnsafePointer<cJSON>] {
    sequence(first: node.pointee.child) { $0?.pointee.next }.compactMap { $0.map { UnsafePointer($0) } }
  }
}

/// What cJSON has read; freed with its last value.
private final class JsonTree {
  let root: UnsafeMutablePointer<cJSON>

  /// Nil where the text is not well formed, or something follows it.
  init?(_ text: Span<UInt8>) {
    let root = text.withUnsafeBytes { bytes -> UnsafeMutablePointer<cJSON>? in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
      var end: UnsafePointer<CChar>?
      guard let root = cJSON_ParseWithLengthOpts(start, bytes.count, &end, 0) else { return nil }
      let read = end.map { $0 - start } ?? bytes.count
      // cJSON takes each control character for white space.
      if bytes.dropFirst(read).allSatisfy({ $0 <= 0x20 }) { return root }
      cJSON_Delete(root)
      return nil
    }
    guard let root else { return nil }
    self.root = root
  }

  deinit { cJSON_Delete(root) }
}
