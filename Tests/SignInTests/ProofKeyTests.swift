import Testing

@testable import SignIn

struct ProofKeyTests {
  @Test func `each verifier is new, long enough and in the alphabet of RFC 7636`() {
    let keys = (0..<50).map { _ in ProofKey() }
    #expect(Set(keys.map(\.verifier)).count == 50)
    for key in keys {
      #expect((43...128).contains(key.verifier.utf8.count))
      #expect(key.verifier.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) })
      #expect(key.challenge.utf8.count == 43 && key.challenge != key.verifier)
    }
  }
}
