import Foundation
import Testing

@testable import Sandbox

@Suite("Faults on demand")
struct FaultTests {
  @Test(
    "A fault is written as a name, perhaps a value, and perhaps a step",
    arguments: [
      ("expired-policy", SandboxFault(.expiredPolicy, at: .allocate)), ("skew=-90", SandboxFault(.skew(-90))),
      ("error-200@confirm", SandboxFault(.error200, at: .confirm)),
      ("redirect=http://localhost/", SandboxFault(.redirect("http://localhost"), at: .upload)),
      ("truncate=10", SandboxFault(.truncate(10))),
      ("slow-processing=1.5", SandboxFault(.slowProcessing(1.5), at: .poll)),
      ("drop-after-request@poll", SandboxFault(.dropAfterRequest, at: .poll)),
      ("drop-before-response", SandboxFault(.dropBeforeResponse, at: .upload)),
    ])
  func parsing(text: String, fault: SandboxFault) throws {
    #expect(try SandboxFault(parsing: text) == fault)
  }

  @Test(
    "Anything else is refused with the list of faults",
    arguments: ["", "skew", "skew=a", "truncate=-1", "error-200=1", "redirect=localhost", "error-200@lunch"])
  func malformed(text: String) {
    #expect(throws: SandboxFaultError.self) { try SandboxFault(parsing: text) }
  }

  @Test("An expired policy is issued once")
  func expiredPolicy() async throws {
    try await SandboxFixture.run(faults: ["expired-policy"]) { sandbox in
      let expired = try await sandbox.upload(sandbox.allocate(5).form("hello"))
      #expect(expired.element("Message") == "Invalid according to Policy: Policy expired.")
      #expect(try await sandbox.upload(sandbox.allocate(5).form("hello")).status == 204)
    }
  }

  @Test("A skewed storage shows it in its Date, and finds a policy expired that the API just made")
  func skew() async throws {
    try await SandboxFixture.run(faults: ["skew=1200"]) { sandbox in
      let refused = try await sandbox.upload(sandbox.allocate(5).form("hello"))
      #expect(refused.element("Message") == "Invalid according to Policy: Policy expired.")
      #expect(refused["date"] == DateText.http(sandbox.clock.now + 1200))
      let response = try await sandbox.api("POST", "/sheets/a/snapshots", #"{"filesize": 5, "lifetime": 3600}"#)
      let longer = try JSONDecoder().decode([String: SandboxFixture.Allocation].self, from: Data(response.body))
      #expect(try await sandbox.upload(#require(longer["snapshot"]).form("hello")).status == 204)
    }
  }

  @Test("A 200 with an Error stores nothing")
  func error200() async throws {
    try await SandboxFixture.run(faults: ["error-200"]) { sandbox in
      let snapshot = try await sandbox.allocate(5)
      let response = try await sandbox.upload(snapshot.form("hello"))
      #expect(response.status == 200)
      #expect(response.element("Code") == "InternalError")
      #expect(try await sandbox.api("PUT", "/sheets/A-101/snapshots/\(snapshot.uid)").errorCode == "object_missing")
      #expect(try await sandbox.upload(snapshot.form("hello")).status == 204)
    }
  }

  @Test("A redirect leads to the same storage under another name, and ends there")
  func redirect() async throws {
    try await SandboxFixture.run(faults: ["redirect=http://localhost"]) { sandbox in
      let form = try await sandbox.allocate(5).form("hello")
      let response = try await sandbox.upload(form)
      let port = sandbox.endpoints.storage.split(separator: ":").last ?? ""
      #expect(response.status == 307)
      #expect(response["location"] == "http://localhost:\(port)/sandbox")
      try await RawClient.connect(to: sandbox.endpoints.storage) { client in
        let request = String(decoding: form.request(), as: UTF8.self)
        try await client.send(request.replacingOccurrences(of: "Host: sandbox", with: "Host: localhost:\(port)"))
        #expect(try await client.response().status == 204)
      }
    }
  }

  @Test("A truncated file is detected when it is confirmed", arguments: [true, false])
  func truncate(isPut: Bool) async throws {
    try await SandboxFixture.run(faults: ["truncate=2"]) { sandbox in
      let uid: String
      if isPut {
        let snapshot = try await PresignedPutTests.allocate(sandbox)
        #expect(try await PresignedPutTests.put(sandbox, snapshot).status == 200)
        uid = snapshot.uid
      } else {
        let snapshot = try await sandbox.allocate(5)
        #expect(try await sandbox.upload(snapshot.form("hello")).status == 204)
        uid = snapshot.uid
      }
      #expect(try await sandbox.api("PUT", "/sheets/A-101/snapshots/\(uid)").errorCode == "size_mismatch")
    }
  }

  @Test("Processing is as slow as specified")
  func slowProcessing() async throws {
    try await SandboxFixture.run(faults: ["slow-processing=60"]) { sandbox in
      let snapshot = try await sandbox.allocate(5)
      #expect(try await sandbox.upload(snapshot.form("hello")).status == 204)
      let path = "/sheets/A-101/snapshots/\(snapshot.uid)"
      #expect(try await sandbox.api("PUT", path).status == 200)
      sandbox.clock.advance(by: 59)
      #expect(try await sandbox.api("GET", path).text.contains("processing"))
      sandbox.clock.advance(by: 1)
      #expect(try await sandbox.api("GET", path).text.contains("ready"))
    }
  }

  @Test(
    "A dropped request gets no response; with drop-before-response it has been carried out", arguments: [true, false])
  func drop(isCarriedOut: Bool) async throws {
    let fault = isCarriedOut ? "drop-before-response" : "drop-after-request"
    try await SandboxFixture.run(faults: [fault]) { sandbox in
      let snapshot = try await sandbox.allocate(5)
      try await RawClient.connect(to: sandbox.endpoints.storage) { client in
        try await client.send(snapshot.form("hello").request())
        #expect(try await client.isClosedByServer())
      }
      #expect(try sandbox.log().last?.target == "/sandbox")
      let confirmed = try await sandbox.api("PUT", "/sheets/A-101/snapshots/\(snapshot.uid)")
      #expect(confirmed.status == (isCarriedOut ? 200 : 409))
      #expect(try await sandbox.upload(snapshot.form("hello")).status == 204)
    }
  }
}
