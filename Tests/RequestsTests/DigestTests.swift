import Canaries
import HTTPTypes
import Requests
import Testing

/// RFC 7616 §3.9, which has its passwords in it, and RFC 2617 §3.5.
struct DigestTests {
  private func challenge(_ text: String) throws -> DigestChallenge {
    try #require(DigestChallenge(of: [.wwwAuthenticate: "Digest \(text)"]))
  }

  private func fields(_ value: String) -> [String: String] {
    #expect(value.hasPrefix("Digest "))
    return AuthenticationChallenge.parameters(in: String(value.dropFirst(7)))
  }

  private func identity(_ user: String = "Mufasa", _ password: String = "Circle of Life") -> DigestIdentity {
    DigestIdentity(user: user, password: Secret(password, name: "password", for: []))
  }

  @Test(arguments: [
    ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
    ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
  ])
  func `the examples of RFC 7616`(algorithm: String, response: String) throws {
    let challenge = try challenge(
      """
      realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
      nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
      """)
    var session = DigestSession(challenge, clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
    let field = try session.field(for: identity(), method: "GET", target: "/dir/index.html", body: [])
    #expect(field.response == response)
    let parameters = fields(field.value)
    #expect(parameters["username"] == "Mufasa" && parameters["realm"] == "http-auth@example.org")
    #expect(parameters["nc"] == "00000001" && parameters["qop"] == "auth" && parameters["response"] == response)
    #expect(parameters["opaque"] == "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS")
    #expect(field.value.contains(", nc=00000001,") && field.value.contains(", qop=auth,"))
    let next = try session.field(for: identity(), method: "GET", target: "/dir/index.html", body: [])
    #expect(fields(next.value)["nc"] == "00000002" && next.response != response)
  }

  @Test func `the example of RFC 2617, and a server that knows no quality of protection`() throws {
    let modern = try challenge(
      """
      realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
      opaque="5ccc069c403ebaf9f0171e9517f40e41"
      """)
    var session = DigestSession(modern, clientNonce: "0a4f113b")
    let mufasa = identity("Mufasa", "Circle Of Life")
    let field = try session.field(for: mufasa, method: "GET", target: "/dir/index.html", body: [])
    #expect(field.response == "6629fae49393a05397450978507c4ef1")
    // Nothing that the server did not write is repeated to it.
    #expect(!field.value.contains("algorithm"))

    let legacy = try challenge(
      "realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\"")
    var old = DigestSession(legacy, clientNonce: "0a4f113b")
    let first = try old.field(for: mufasa, method: "GET", target: "/dir/index.html", body: [])
    #expect(first.response == "670fd8c2df070c60b045671b8b24ff02")
    #expect(!first.value.contains("nc=") && !first.value.contains("qop"))
  }

  @Test func `a user who is hashed, and one with letters that a header cannot have`() throws {
    let hashed = try challenge(
      """
      realm="api@example.org", qop="auth", algorithm=SHA-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", \
      opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true
      """)
    let name = "J\u{e4}s\u{f8}n Doe"
    var session = DigestSession(hashed, clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm")
    let field = try session.field(for: identity(name, "Secret, or not?"), method: "GET", target: "/doe.json", body: [])
    let parameters = fields(field.value)
    #expect(parameters["username"] == "5a1a8a47df5c298551b9b42ba9b05835174a5bd7d511ff7fe9191d8e946fc4e7")
    #expect(parameters["userhash"] == "true" && !field.value.contains(name))

    var plain = DigestSession(try challenge("realm=\"a\", nonce=\"b\", qop=auth"), clientNonce: "c")
    let encoded = try plain.field(for: identity(name, "Secret, or not?"), method: "GET", target: "/", body: [])
    #expect(encoded.value.contains("username*=UTF-8''J%C3%A4s%C3%B8n%20Doe"))
  }

  @Test func `sessions, bodies, quotes and the strongest of several challenges`() throws {
    let all: HTTPFields = {
      var fields: HTTPFields = [:]
      fields.append(
        HTTPField(name: .wwwAuthenticate, value: "Digest realm=\"a\", nonce=\"n\", qop=\"auth\", algorithm=MD5"))
      fields.append(
        HTTPField(
          name: .wwwAuthenticate, value: "Digest realm=\"a\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256-sess"))
      fields.append(HTTPField(name: .wwwAuthenticate, value: "Digest realm=\"a\", nonce=\"n\", algorithm=SHA-512-512"))
      return fields
    }()
    let strongest = try #require(DigestChallenge(of: all))
    #expect(strongest.algorithm == .sha256 && strongest.isSession)

    let whole = try challenge("realm=\"a\\\"b\", nonce=\"n\", qop=\"auth-int\", stale=TRUE")
    #expect(whole.protection == .requestAndBody && whole.isStale && whole.realm == "a\"b")
    var one = DigestSession(whole, clientNonce: "c")
    var other = one
    let first = try one.field(for: identity(), method: "POST", target: "/", body: [.bytes(Array("x".utf8))])
    let second = try other.field(for: identity(), method: "POST", target: "/", body: [.bytes(Array("y".utf8))])
    #expect(first.response != second.response && first.value.contains("realm=\"a\\\"b\""))
  }

  @Test(arguments: [
    "Basic realm=\"a\"", "Digest realm=\"a\"", "Digest realm=\"a\", nonce=\"n\", algorithm=SHA-512-512",
    "Digest realm=\"a\", nonce=\"n\", qop=\"other\"",
  ])
  func `what cannot be met is no challenge`(text: String) {
    #expect(DigestChallenge(of: [.wwwAuthenticate: text]) == nil)
  }

  /// RFC 7616 §3.9.2 has another user; these were made with OpenSSL's digest.
  @Test(arguments: [
    ("SHA-512-256", "auth", "bd4311c37b3890a2df44699789473e744efafb31f8d789781eac66741224f782"),
    ("SHA-512-256", "auth-int", "94b85dbcbbb97c3bda2751c7e160fe6604eccca585f3cbff75d2a23f0085ed70"),
    ("SHA-512-256-sess", "auth", "6a367200f8f86e5ed33f8efa29ba094aa97a9c411b3a57823e11563a89748060"),
    ("SHA-512-256-sess", "auth-int", "6188aa2d1c4d7adbdd32cdee6db3f0f8c107c0e7a45887aecb01647b05eda860"),
  ])
  func `the longest digest, for bodies and sessions, too`(algorithm: String, quality: String, response: String) throws {
    let challenge = try challenge(
      """
      realm="http-auth@example.org", qop="\(quality)", algorithm=\(algorithm), \
      nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
      """)
    var session = DigestSession(challenge, clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
    let field = try session.field(
      for: identity(), method: "POST", target: "/dir/index.html", body: [.bytes(Array("hello".utf8))])
    #expect(field.response == response)
  }

  @Test func `the next nonce begins a new count`() throws {
    var session = DigestSession(try challenge("realm=\"a\", nonce=\"n\", qop=auth"), clientNonce: "c")
    _ = try session.field(for: identity(), method: "GET", target: "/", body: [])
    session.take(authenticationInfo: "qop=auth, nextnonce=\"m\", rspauth=\"00\"")
    let field = try session.field(for: identity(), method: "GET", target: "/", body: [])
    #expect(fields(field.value)["nonce"] == "m" && fields(field.value)["nc"] == "00000001")
  }
}
