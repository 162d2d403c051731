import Requests
import Testing

@Suite struct FormSearchTests {
  /// The quick question skips escapes of what no form has in it; what is found must not depend on that.
  @Test(arguments: 0..<40)
  func `what is there is found quickly, too`(seed: UInt64) {
    var random = Seeded(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
    let texts = ["tok/en+1?", "p&ss=w 'rd", "c4n\"ary\\{}", "naïve€key", "b64+/b64+/b64+/b64=="]
    let secret = Array(texts[Int(seed % 5)].utf8)
    let search = FormSearch([Secret(texts[Int(seed % 5)], name: "s", for: [])])
    var found = 0
    for _ in 0..<300 {
      var text = Self.noise(&random)
      for byte in secret { text += random.next() % 3 == 0 ? Self.escaped(byte, &random) : [byte] }
      if random.next() % 3 == 0 { text.remove(at: Int(random.next() % UInt64(text.count))) }
      text += Self.noise(&random)
      let isThere = !search.matches(in: text).isEmpty
      if isThere { found += 1 }
      #expect(search.isMatched(in: text) == isThere, "\(String(decoding: text, as: UTF8.self))")
    }
    #expect(found > 50)
  }

  private static func noise(_ random: inout Seeded) -> [UInt8] {
    let pieces = [
      "?n=12&m=200", "%20a%0A", "\\n\\\"", "&lt;&#39;", "'\\''", "=\r\n", "\u{1}", "é", "x", "\\u0041", "%25",
    ]
    return (0..<random.next() % 4).flatMap { _ in Array(pieces[Int(random.next() % UInt64(pieces.count))].utf8) }
  }

  private static func escaped(_ byte: UInt8, _ random: inout Seeded) -> [UInt8] {
    let hex = String(byte, radix: 16).count == 1 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
    let ways = [
      "%\(hex)", "=\(hex.uppercased())", "\\x\(hex)", "&#\(byte);", "\\u00\(hex)", "%25\(hex)", "\\\\x\(hex)",
    ]
    // A byte of a longer character is no character.
    return Array(ways[Int(random.next() % (byte < 0x80 ? UInt64(ways.count) : 3))].utf8)
  }
}

private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
