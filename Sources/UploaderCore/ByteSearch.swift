/// Finds the first of several byte strings; where two begin at the same place, the longest.
struct ByteSearch {
  /// By first byte, longest first.
  private let needles: [UInt8: [[UInt8]]]

  init(_ needles: some Sequence<[UInt8]>) {
    self.needles = Dictionary(grouping: needles.filter { !$0.isEmpty }) { $0[0] }
      .mapValues { $0.sorted { $0.count > $1.count } }
  }

  var isEmpty: Bool { needles.isEmpty }

  func firstMatch(in bytes: [UInt8], from start: Int) -> Range<Int>? {
    guard !needles.isEmpty else { return nil }
    var index = start
    while index < bytes.count {
      if let candidates = needles[bytes[index]],
        let match = candidates.first(where: { bytes[index...].starts(with: $0) })
      {
        return index..<index + match.count
      }
      index += 1
    }
    return nil
  }
}
