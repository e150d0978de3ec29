import CJson

/// A parsed JSON text (RFC 8259), or a value in it. Values are untrusted: a property is nil if the value has another
/// type. Strings may contain any character except U+0000. Use values only on the thread that parsed them.
public struct JsonValue {
  /// Limits for a text.
  public struct Limits: Sendable {
    /// Maximum nesting depth; cJSON uses a stack frame per level.
    public var depth = 32
    /// Maximum number of values; cJSON allocates 64 bytes per value.
    public var values = 16_384

    /// Creates the default limits.
    public init() {}
  }

  /// The tree that contains the value.
  private let tree: JsonTree
  private let node: UnsafePointer<cJSON>

  /// Parses a whole text (`cJSON_ParseWithLengthOpts`). Refuses a text above the limits before any allocation.
  public init(_ text: Span<UInt8>, limits: Limits = Limits()) throws(JsonError) {
    let measure = JsonMeasure(text)
    guard measure.depth <= limits.depth, measure.valueCount <= limits.values else { throw .tooLarge }
    guard !measure.hasNul, let tree = JsonTree(text) else { throw .malformed }
    self.init(tree, tree.root)
  }

  private init(_ tree: JsonTree, _ node: UnsafePointer<cJSON>) { (self.tree, self.node) = (tree, node) }

  /// The first member of an object with this name.
  public subscript(_ name: String) -> JsonValue? {
    guard cJSON_IsObject(node) != 0, let member = cJSON_GetObjectItemCaseSensitive(node, name) else { return nil }
    return JsonValue(tree, member)
  }

  /// The characters of a string; invalid UTF-8 becomes U+FFFD.
  public var string: String? {
    guard cJSON_IsString(node) != 0, let text = node.pointee.valuestring else { return nil }
    return String(cString: text)
  }

  /// The value of a number.
  public var number: Double? {
    guard cJSON_IsNumber(node) != 0, node.pointee.valuedouble.isFinite else { return nil }
    return node.pointee.valuedouble
  }

  /// The value of a whole number within a range.
  public func integer(in range: ClosedRange<Int>) -> Int? {
    guard let value = number.flatMap({ Int(exactly: $0) }), range.contains(value) else { return nil }
    return value
  }

  /// The value of true or false.
  public var bool: Bool? {
    if cJSON_IsTrue(node) != 0 { return true }
    return cJSON_IsFalse(node) != 0 ? false : nil
  }

  /// The members of an object, in order.
  public var members: [(name: String, value: JsonValue)]? {
    guard cJSON_IsObject(node) != 0 else { return nil }
    return children.compactMap { child in child.pointee.string.map { (String(cString: $0), JsonValue(tree, child)) } }
  }

  /// True for null.
  public var isNull: Bool { cJSON_IsNull(node) != 0 }

  /// The elements of an array, in order.
  public var elements: [JsonValue]? {
    guard cJSON_IsArray(node) != 0 else { return nil }
    return children.map { JsonValue(tree, $0) }
  }

  private var children: [UnsafePointer<cJSON>] {
    sequence(first: node.pointee.child) { $0?.pointee.next }.compactMap { $0.map { UnsafePointer($0) } }
  }
}

/// The tree of cJSON; freed after its last value.
private final class JsonTree {
  let root: UnsafeMutablePointer<cJSON>

  init?(_ text: Span<UInt8>) {
    let root = text.withUnsafeBytes { bytes -> UnsafeMutablePointer<cJSON>? in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
      var end: UnsafePointer<CChar>?
      guard let root = cJSON_ParseWithLengthOpts(start, bytes.count, &end, 0) else { return nil }
      let read = end.map { $0 - start } ?? bytes.count
      // cJSON accepts any control character as white space.
      if bytes.dropFirst(read).allSatisfy({ $0 <= 0x20 }) { return root }
      cJSON_Delete(root)
      return nil
    }
    guard let root else { return nil }
    self.root = root
  }

  deinit { cJSON_Delete(root) }
}
