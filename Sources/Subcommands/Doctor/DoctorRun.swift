internal import Formats
internal import Presentation
internal import Requests
internal import RunStore
package import Sessions

/// Looks at everything around the program that it depends on, and says what is missing and what to do. It changes
/// nothing, and sends nothing.
package struct DoctorRun: Sendable {
  private let world: World
  private let surroundings: Surroundings
  private let directory: String?

  /// - Parameter directory: where the store is; nil: the user's own.
  package init(world: World, surroundings: Surroundings, directory: String?) {
    self.world = world
    self.surroundings = surroundings
    self.directory = directory
  }

  /// - Returns: `failed` if something does not work.
  package func run() -> ExitCode {
    let printer = Printer(world, secrets: KnownSecrets())
    let findings = [terminal, locale, libedit, libcurl, libxml2, libpq, certificates, store, profiles]
    for finding in findings { printer.result(finding.shown) }
    return findings.contains { $0.verdict == .fault } ? .failed : .success
  }

  package var terminal: DoctorFinding {
    guard surroundings.isInputTerminal, surroundings.isOutputTerminal else {
      return DoctorFinding("terminal", .fine, "none: what is piped in is read like a script, and nothing is colored")
    }
    let name = world.environment["TERM"] ?? ""
    guard !name.isEmpty, name != "dumb" else {
      return DoctorFinding(
        "terminal", .advice,
        "TERM is \(name.isEmpty ? "not set" : "\"dumb\""): lines are edited without keys and colors",
        remedies: ["export TERM=xterm-256color, or whatever your terminal is"])
    }
    let size = "\(name), \(surroundings.columns) columns, \(surroundings.rows) lines"
    guard surroundings.columns >= 40 else {
      return DoctorFinding(
        "terminal", .advice, size, remedies: ["it is narrow: what is wider than the screen is cut or wrapped"])
    }
    let isColored = (world.environment["NO_COLOR"] ?? "").isEmpty
    return DoctorFinding("terminal", .fine, size + (isColored ? "" : "; NO_COLOR is set"))
  }

  package var locale: DoctorFinding {
    guard surroundings.hasUTF8Locale else {
      return DoctorFinding(
        "locale", .fault, "this system has neither C.UTF-8 nor en_US.UTF-8: what is not ASCII cannot be typed",
        remedies: ["on Debian and Ubuntu: apt-get install libc-bin"])
    }
    let variable = ["LC_ALL", "LC_CTYPE", "LANG"].first { !(world.environment[$0] ?? "").isEmpty }
    let value = variable.flatMap { world.environment[$0] } ?? ""
    let folded = value.lowercased().filter { $0 != "-" }
    if folded.hasSuffix("utf8") || folded.contains("utf8@") {
      return DoctorFinding("locale", .fine, "\(variable ?? "LANG")=\(value)")
    }
    // Nobody said what the terminal shows: most show UTF-8.
    guard !value.isEmpty, value != "C", value != "POSIX" else {
      return DoctorFinding("locale", .fine, "none is set; texts are read and written as UTF-8")
    }
    return DoctorFinding(
      "locale", .advice, "\(variable ?? "LANG")=\(value), but texts are read and written as UTF-8",
      remedies: ["if your terminal shows UTF-8: export LC_ALL=C.UTF-8"])
  }

  package var libedit: DoctorFinding {
    surroundings.hasLineEditing
      ? DoctorFinding("libedit", .fine, "for the prompt")
      : DoctorFinding(
        "libedit", .fault, "it is not here: lines at the prompt are typed without keys, history and completion",
        remedies: ["on Debian and Ubuntu: apt-get install libedit2"])
  }

  package var libcurl: DoctorFinding {
    guard let version = surroundings.curlVersion else {
      return DoctorFinding(
        "libcurl", .fault, "it is not here: nothing can be sent",
        remedies: ["on Debian and Ubuntu: apt-get install libcurl4"])
    }
    let missing = surroundings.curlFeatures.filter { !$0.isThere }
    guard !missing.isEmpty else { return DoctorFinding("libcurl", .fine, version) }
    return DoctorFinding(
      "libcurl", missing.contains(where: \.isEssential) ? .fault : .advice, version,
      remedies: missing.map { "it was built without \($0.name): \($0.loss)" })
  }

  package var libxml2: DoctorFinding {
    surroundings.hasXML
      ? DoctorFinding("libxml2", .fine, "for xpath")
      : DoctorFinding(
        "libxml2", .advice, "it is not here: whatever uses xpath fails",
        remedies: ["on Debian and Ubuntu: apt-get install libxml2"])
  }

  /// Few have a queue on a server, so its absence is no fault.
  package var libpq: DoctorFinding {
    surroundings.hasPostgres
      ? DoctorFinding("libpq", .fine, "for a queue on a server")
      : DoctorFinding(
        "libpq", .fine, "it is not here; only a queue on a server (--store postgres://…) needs it",
        remedies: ["on Debian and Ubuntu: apt-get install libpq5"])
  }

  package var certificates: DoctorFinding {
    let remedies = [
      "on Debian and Ubuntu: apt-get install ca-certificates",
      "for a single server, name its authority in its profile: tls { ca: \"ca.pem\" }",
    ]
    if let file = surroundings.authorityFile {
      guard let bytes = try? world.readDocument(file) else {
        return DoctorFinding(
          "certificates", .fault, "\"\(file)\" cannot be read: no server is trusted", remedies: remedies)
      }
      let count = String(decoding: bytes, as: UTF8.self).ranges(of: "-----BEGIN CERTIFICATE-----").count
      guard count > 0 else {
        return DoctorFinding(
          "certificates", .fault, "\"\(file)\" has no certificate: no server is trusted", remedies: remedies)
      }
      return DoctorFinding("certificates", .fine, "\(count) authorities in \(file)")
    }
    if let directory = surroundings.authorityDirectory {
      let count = world.listDirectory(directory).count { $0.hasSuffix(".0") }
      guard count > 0 else {
        return DoctorFinding(
          "certificates", .fault, "\"\(directory)\" has no certificate: no server is trusted", remedies: remedies)
      }
      return DoctorFinding("certificates", .fine, "\(count) authorities in \(directory)")
    }
    return DoctorFinding("certificates", .fine, "those of the system")
  }

  package var store: DoctorFinding {
    guard let path = directory ?? RunStore.defaultPath(world.environment) else {
      return DoctorFinding(
        "store", .advice, "there is no home directory, so nothing is recorded",
        remedies: ["say where runs are recorded: --store DIR, or export XDG_STATE_HOME=/some/directory"])
    }
    guard RunStore.isIn(world.listDirectory(path)) else {
      return DoctorFinding("store", .fine, "nothing is recorded yet in \(path)")
    }
    do {
      let health = try world.store(in: path).health()
      guard health.damage.isEmpty else {
        return DoctorFinding(
          "store", .fault, "\(path) is damaged: \(health.damage.joined(separator: "; "))",
          remedies: [
            "move it away; a new one is made by the next run", "what can be saved: sqlite3 runs.sqlite .recover",
          ])
      }
      return DoctorFinding("store", .fine, "\(path): \(Self.summary(health))")
    } catch {
      return DoctorFinding("store", .fault, "\(error)", remedies: error.advice)
    }
  }

  private static func summary(_ health: StoreHealth) -> String {
    func count(_ number: Int, _ noun: String) -> String {
      "\(NumberFormat.grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }
    var parts = ["format \(StoreHealth.format)", count(health.runs, "run")]
    if health.resumable > 0 { parts.append("\(health.resumable) to be continued") }
    if health.waiting > 0 { parts.append("\(health.waiting) in the queue") }
    parts.append(NumberFormat.bytes(health.databaseSize + health.bodySize))
    return parts.joined(separator: ", ") + ", undamaged"
  }

  package var profiles: DoctorFinding {
    guard let path = world.ownProfiles else { return DoctorFinding("profiles", .fine, "there is no home directory") }
    do throws(FileError) {
      _ = try world.readFile(path)
    } catch {
      if case .unreadable(_, let reason) = error, reason.isAbsence {
        return DoctorFinding("profiles", .fine, "none of your own; they would be in \(path)")
      }
      return DoctorFinding("profiles", .fault, "\(error)")
    }
    let loader = ScriptLoader(world)
    guard let own = loader.ownDeclarations else { return DoctorFinding("profiles", .fine, path) }
    let checked = loader.check(own.parsed, directory: own.directory, isOwn: true)
    guard checked.value != nil else {
      return DoctorFinding(
        "profiles", .fault, "\(path) has mistakes, so it is not used", remedies: ["workbench check \(path)"])
    }
    let count = own.parsed.profileNames.count
    return DoctorFinding("profiles", .fine, "\(count) \(count == 1 ? "profile" : "profiles") in \(path)")
  }
}
