import Diagnostics
import Testing

@Suite struct SourceTextTests {
  /// Eight bytes are looked at together, so a line may end at each place.
  @Test func `lines are found wherever they end`() {
    for count in 1...20 {
      for first in 0..<count {
        for second in first..<count {
          var bytes = [UInt8](repeating: 0x0B, count: count)
          bytes[first] = 0x0A
          bytes[second] = 0x0A
          let source = SourceText(name: "x", bytes: bytes)
          #expect(source.lineCount == (first == second ? 2 : 3))
          for offset in 0..<count {
            #expect(source.lineIndex(at: offset) == bytes[..<offset].count { $0 == 0x0A })
          }
        }
      }
    }
  }
}
