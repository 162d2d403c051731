import Diagnostics
import RequestSyntax
import Testing

@Suite struct BinaryTextTests {
  @Test func `a picture is refused with one error`() {
    let line: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0, 0xFF, 0x0A]
    let bytes = Array(repeating: line, count: 40).flatMap(\.self)
    #expect(Parser.parse(SourceText(name: "a.png", bytes: bytes)).errors.count == 1)
  }
}
