import OfflineTransport
import Presentation
import Requests
import Sessions
import Subcommands
import Testing
import UploaderCore

/// What the doctor says of each thing it looks at.
@Suite struct DoctorTests {
  private struct NoTransport: OfflineTransport {
    func send(
      _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(TransportError) -> TransportResponse {
      throw TransportError(.url(request.url, reason: "nothing is sent here"))
    }
  }

  private static func doctor(
    _ environment: [String: String] = [:], files: [String: String] = [:], names: [String: [String]] = [:],
    _ change: (inout Surroundings) -> Void = { _ in }
  ) -> DoctorRun {
    var surroundings = Surroundings()
    change(&surroundings)
    let nowhere = World.Output.nowhere
    let world = World(
      output: nowhere, errorOutput: nowhere, environment: environment, workingDirectory: "/work",
      readFile: { path throws(FileError) in
        guard let text = files[path] else { throw .unreadable(path: path, reason: SystemError(number: 2)) }
        return Array(text.utf8)
      }, writeFile: { _, _ in }, replaceFile: { _, _ in }, listDirectory: { names[$0] ?? [] }, transport: NoTransport())
    return DoctorRun(world: world, surroundings: surroundings, directory: nil)
  }

  private static func terminal(_ name: String?, columns: Int = 80) -> DoctorFinding {
    doctor(name.map { ["TERM": $0] } ?? [:]) {
      ($0.isInputTerminal, $0.isOutputTerminal, $0.columns, $0.rows) = (true, true, columns, 24)
    }.terminal
  }

  @Test func `a terminal that can do little is named, with what to do`() {
    #expect(Self.doctor().terminal.verdict == .fine)
    #expect(Self.terminal("xterm") == DoctorFinding("terminal", .fine, "xterm, 80 columns, 24 lines"))
    #expect(Self.terminal(nil).verdict == .advice && Self.terminal(nil).remedies[0].hasPrefix("export TERM="))
    #expect(Self.terminal("dumb").text.hasPrefix("TERM is \"dumb\""))
    #expect(Self.terminal("xterm", columns: 30).verdict == .advice)
  }

  @Test(arguments: [
    ([:], DoctorFinding.Verdict.fine), (["LANG": "C"], .fine), (["LANG": "de_DE.utf8"], .fine),
    (["LANG": "en_US.UTF-8@euro"], .fine), (["LANG": "de_DE.ISO-8859-1"], .advice),
    (["LANG": "en_US.UTF-8", "LC_ALL": "de_DE.ISO-8859-1"], .advice),
    (["LANG": "de_DE.ISO-8859-1", "LC_CTYPE": "C.UTF-8", "LC_ALL": ""], .fine),
  ]) func `a locale is that of the variable that counts`(
    environment: [String: String], verdict: DoctorFinding.Verdict
  ) {
    #expect(Self.doctor(environment).locale.verdict == verdict)
  }

  @Test func `without a locale in which UTF-8 is read, that is a fault`() {
    #expect(Self.doctor(["LANG": "C.UTF-8"]) { $0.hasUTF8Locale = false }.locale.verdict == .fault)
  }

  @Test func `a libcurl without something says what does not work; without TLS nothing much does`() {
    func libcurl(_ features: [Surroundings.Feature]) -> DoctorFinding {
      Self.doctor { ($0.curlVersion, $0.curlFeatures) = ("8.0.0", features) }.libcurl
    }
    let zstd = Surroundings.Feature(name: "zstd", isThere: false, loss: "no zstd")
    let tls = Surroundings.Feature(name: "TLS", isThere: false, loss: "no https", isEssential: true)
    let gzip = Surroundings.Feature(name: "gzip", isThere: true, loss: "")
    #expect(libcurl([gzip]) == DoctorFinding("libcurl", .fine, "8.0.0"))
    let advice = DoctorFinding("libcurl", .advice, "8.0.0", remedies: ["it was built without zstd: no zstd"])
    #expect(libcurl([gzip, zstd]) == advice)
    #expect(libcurl([zstd, tls]).verdict == .fault)
  }

  @Test func `without libxml2, what needs it is named, and how to get it`() {
    #expect(Self.doctor().libxml2.verdict == .fine)
    let missing = Self.doctor { $0.hasXML = false }.libxml2
    #expect(missing.verdict == .advice && missing.text.contains("xpath"))
    #expect(missing.remedies == ["on Debian and Ubuntu: apt-get install libxml2"])
  }

  @Test func `without libpq, who needs it is told, and nothing is wrong`() {
    #expect(Self.doctor().libpq == DoctorFinding("libpq", .fine, "for a queue on a server"))
    let missing = Self.doctor { $0.hasPostgres = false }.libpq
    #expect(missing.verdict == .fine && missing.text.contains("--store postgres://"))
    #expect(missing.remedies == ["on Debian and Ubuntu: apt-get install libpq5"])
  }

  @Test func `authorities are counted, and without any no server is trusted`() {
    func certificates(_ text: String?) -> DoctorFinding {
      Self.doctor(files: text.map { ["/ca.pem": $0] } ?? [:]) { $0.authorityFile = "/ca.pem" }.certificates
    }
    let pem = "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n"
    #expect(certificates(pem + pem) == DoctorFinding("certificates", .fine, "2 authorities in /ca.pem"))
    #expect(certificates("").verdict == .fault)
    #expect(certificates(nil).text == "\"/ca.pem\" cannot be read: no server is trusted")
    #expect(certificates(nil).remedies[0].hasSuffix("apt-get install ca-certificates"))
    let directory = Self.doctor(names: ["/certs": ["a.0", "b.pem"]]) { $0.authorityDirectory = "/certs" }
    #expect(directory.certificates.text == "1 authorities in /certs")
  }

  @Test func `a store that is not there is not made`() {
    #expect(Self.doctor().store.verdict == .advice)
    let path = "/nonexistent/state"
    let finding = Self.doctor(["XDG_STATE_HOME": path]).store
    #expect(finding == DoctorFinding("store", .fine, "nothing is recorded yet in \(path)/workbench"))
  }

  @Test func `profiles with a mistake are a fault, since they are not used`() {
    func profiles(_ text: String?) -> DoctorFinding {
      let path = "/home/me/.config/workbench/profiles.wb"
      return Self.doctor(["HOME": "/home/me"], files: text.map { [path: $0] } ?? [:]).profiles
    }
    #expect(profiles(nil).text.hasPrefix("none of your own; they would be in /home/me/.config/"))
    #expect(profiles("profile api { base https://a.test }\n").text.hasPrefix("1 profile in /home"))
    #expect(profiles("profile api { bse https://a.test }\n").verdict == .fault)
    // The user's own may run programs.
    let own = "secret key = command(\"pass show key\") for api\nprofile api { base https://a.test auth bearer $key }\n"
    #expect(profiles(own).verdict == .fine)
  }

  @Test func `what is found is one line each, and what to do is below it`() {
    let finding = DoctorFinding("store", .fault, "it is damaged", remedies: ["move it away"])
    #expect(
      finding.shown.rendered(isColored: false) == "FAULT   store         it is damaged\n        = move it away\n")
  }
}
