import Canaries
import Diagnostics
import RequestProgram
import RequestSyntax
import Requests
import Testing

struct SignerTests {
  private func messages(_ step: String) -> [String] {
    var program = Program()
    return program.add(Parser.parse(SourceText(name: "test.wb", text: "GET http://a.test/ \(step)")))
      .filter { $0.severity == .error }.map(\.message)
  }

  private func text(of signer: Signer, without name: String? = nil) -> String {
    let members = signer.members.map(\.name).filter { $0 != name }.map { "\($0): $env.\($0.uppercased())" }
    return "auth \(signer.name) { \(members.joined(separator: ", ")) }"
  }

  @Test(arguments: Signer.all)
  func `a signer takes its example and its members, and reports which one is missing or unknown`(signer: Signer) {
    #expect(messages(signer.example).isEmpty)
    #expect(messages(text(of: signer)).isEmpty)
    for member in signer.members {
      let expected = member.isNeeded ? ["auth \(signer.name) has no \(member.name)"] : []
      #expect(messages(text(of: signer, without: member.name)) == expected)
    }
    let unknown = "auth \(signer.name) { nonsense: \"a\", \(text(of: signer).dropFirst("auth \(signer.name) { ".count))"
    #expect(messages(unknown) == ["auth \(signer.name) does not know \"nonsense\""])
    #expect(messages("auth \(signer.name) { }, { }") == ["auth \(signer.name) takes one object"])
  }

  @Test func `an unknown signer is reported before anything is sent`() {
    #expect(messages("auth sigv5 { key: \"a\" }") == ["there is no \"auth sigv5\""])
  }

  @Test(arguments: Signer.all)
  func `the summary of who signs contains no secret`(signer: Signer) {
    let value = Canary.secret("signer")
    let secrets = signer.members.filter { $0.kind == .secret }.map { ($0.name, Secret(value, name: $0.name, for: [])) }
    let texts = signer.members.filter { $0.kind != .secret }.map { ($0.name, "shown-\($0.name)") }
    let identity = SigningIdentity(
      signer, texts: Dictionary(uniqueKeysWithValues: texts), secrets: Dictionary(uniqueKeysWithValues: secrets))
    let summary = Credential.signed(identity).summary
    #expect(!summary.contains(value) && summary.hasPrefix(signer.name) && summary.contains("shown-"))
    #expect(Credential.signed(identity).secrets.count == secrets.count)
  }
}
