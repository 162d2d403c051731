/// Reads elements of ASN.1 in their distinguished encoding (X.690 §10), one after the other. An element that is cut off
/// or longer than the remaining bytes is treated as the end.
struct DERReader {
  struct Tag: RawRepresentable, Hashable {
    let rawValue: UInt8

    static let integer = Tag(rawValue: 0x02)
    static let objectIdentifier = Tag(rawValue: 0x06)
    static let utf8String = Tag(rawValue: 0x0C)
    static let printableString = Tag(rawValue: 0x13)
    static let ia5String = Tag(rawValue: 0x16)
    static let utcTime = Tag(rawValue: 0x17)
    static let sequence = Tag(rawValue: 0x30)
    static let set = Tag(rawValue: 0x31)
    /// `[0]`, which holds a certificate's version.
    static let version = Tag(rawValue: 0xA0)
  }

  struct Element {
    let tag: Tag
    let content: ArraySlice<UInt8>

    var reader: DERReader { DERReader(content) }
    /// Whether it is a string in UTF-8 or a subset of it.
    var isText: Bool { [.utf8String, .printableString, .ia5String].contains(tag) }
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The next element, if it has that tag; otherwise nothing is read.
  mutating func next(_ tag: Tag? = nil) -> Element? {
    var bytes = rest
    guard let first = bytes.popFirst(), tag == nil || first == tag?.rawValue,
      var length = bytes.popFirst().map(Int.init)
    else { return nil }
    if length >= 0x80 {
      // The length of a length is at most four bytes here: no certificate is gigabytes long.
      let count = length - 0x80
      guard (1...4).contains(count), count <= bytes.count else { return nil }
      length = bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
      bytes = bytes.dropFirst(count)
    }
    guard length <= bytes.count else { return nil }
    rest = bytes.dropFirst(length)
    return Element(tag: Tag(rawValue: first), content: bytes.prefix(length))
  }
}
