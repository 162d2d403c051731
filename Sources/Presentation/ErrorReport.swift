internal import Diagnostics
internal import HTTPTypes
public import Requests
public import UploaderCore

/// An error as people read it: what happened, where it was written, what to do.
///
/// This is the one place where facts about requests become sentences.
public struct ErrorReport: Hashable, Sendable {
  /// One sentence without a full stop.
  public var message: String
  /// Where the step was written, if it was.
  public var place: TextPlace?
  /// What follows the carets.
  public var label: String?
  /// What to know and what to do, one line each.
  public var notes: [String]

  public init(_ message: String, place: TextPlace? = nil, label: String? = nil, notes: [String] = []) {
    self.message = message
    self.place = place
    self.label = label
    self.notes = notes
  }

  /// The reports of an upload error, one for each unmet expectation.
  ///
  /// A sequence's own error is not among its facts: nil, and whoever wrote the sequence reports it.
  public static func reports(of error: UploadError) -> [ErrorReport]? {
    reports(ofFactIn: error)?.map { $0.after(error.redirects) }
  }

  private static func reports(ofFactIn error: UploadError) -> [ErrorReport]? {
    let step = error.step
    switch error.fact {
    case .sequence:
      return nil
    case .profile(let fact):
      return [ErrorReport(fact, in: step)]
    case .transport(let failure, let origin):
      var report = ErrorReport(failure, origin: origin, outcome: error.outcome, in: step)
      // Of a host that was not reached, or left alone, nobody asks what it did not get.
      switch failure.fact {
      case .resolve, .connect, .connectTimeout, .tls, .cancelled: break
      default: report.notes += error.withheld.map(\.sentence)
      }
      return [report]
    case .expectations(let unmet, let exchange):
      return unmet.map { ErrorReport($0, exchange: exchange) }
    case .secretRefused(let secret, let origin):
      let allowed =
        secret.origins.isEmpty ? "nowhere" : "to " + secret.origins.map(\.description).joined(separator: ", ") + " only"
      return [
        ErrorReport(
          "\(name(step))\(secret.subject) may go \(allowed), not to \(origin)", place: step?.place,
          notes: [unsent] + (secret.isShort ? [ofShortSecret] : [])
            + (secret.isGivenToStep ? [wayOutOfOwnCredential] : []))
      ]
    case .framing(let fault, _):
      return [ErrorReport("\(name(step))\(fault)", place: step?.place, notes: [unsent, fault.advice])]
    case .unsaved(let failure, _):
      return [ErrorReport("\(name(step))\(failure)", place: step?.place, notes: ["the response is still available"])]
    case .group(let errors):
      return errors.flatMap { reports(of: $0) ?? [] }
    case .cancelled:
      return [ErrorReport("\(name(step))interrupted before it was sent", place: step?.place)]
    case .journal(let failure):
      return [ErrorReport(failure, in: step)]
    case .signIn(let failure, let profile):
      return reports(of: failure, profile: profile, in: step)
    }
  }

  static func name(_ step: RequestHead?) -> String {
    guard let step else { return "" }
    return step.label.map { "step \"\($0)\": " } ?? ""
  }
}

extension ErrorReport {
  fileprivate init(_ fact: ProfileError, in step: RequestHead?) {
    let name = Self.name(step)
    switch fact {
    case .unknown(let profile, let known):
      self.init("\(name)there is no profile \"\(profile)\"", place: step?.place, notes: [Self.list(known)])
    case .noBase(let profile):
      self.init(
        "\(name)profile \"\(profile)\" has no base that a path could be appended to", place: step?.place,
        notes: ["write: profile \(profile) { base https://… }"])
    case .noneInUse(let path, let known):
      self.init(
        "\(name)\"\(path)\" is a path, and no profile says which host it is on", place: step?.place,
        notes: [
          Self.list(known),
          "write a full URL, profile:\(path), or choose one: :profile NAME at the prompt, --profile NAME in a shell",
        ])
    case .ambiguous(let origin, let names):
      self.init(
        "\(name)profiles \(names.map { "\"\($0)\"" }.joined(separator: " and ")) \(names.count > 2 ? "all" : "both") match \(origin)",
        place: step?.place, notes: [ErrorAdvice.ofProfiles(names, in: step?.place?.source ?? "")])
    case .secretTooShort(let secret):
      self.init(
        "\(name)\(secret.subject) is shorter than \(Secret.fewestBytes) bytes", place: step?.place,
        notes: [ErrorAdvice.ofShortSecret])
    }
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "no profile with a base is declared" : "there are: \(names.joined(separator: ", "))"
  }

  fileprivate init(_ failure: TransportError, origin: Origin?, outcome: UploadError.Outcome, in step: RequestHead?) {
    let host = origin.map(\.authority) ?? "the server"
    var notes: [String] = []
    let what: String
    switch failure.fact {
    case .url(let url, let reason):
      what = "\"\(url)\" is not a URL that can be sent to: \(reason)"
    case .resolve(let name):
      what = "no address is known for \"\(name)\""
      notes = ["check the spelling of the host, and that this machine is online"]
    case .connect(let reason):
      what = "cannot connect to \(host): \(reason)"
      notes = ["is the server running, and is the port right?"]
    case .proxy(let reason):
      what = "the proxy did not connect to \(host): \(reason)"
      notes = [Self.unsent]
    case .tls(let failure):
      (what, notes) = Self.words(for: failure, of: host)
    case .connectTimeout(let limit):
      what = "\(host) did not accept a connection within \(NumberFormat.duration(limit))"
    case .timeout(let limit):
      what = "\(host) did not finish responding within \(NumberFormat.duration(limit))"
      notes = ["a longer limit: timeout 60s, in the step or the profile; what never ends: stream for 3s"]
    case .firstByteTimeout(let limit):
      what = "\(host) accepted the request and did not respond within \(NumberFormat.duration(limit))"
    case .idleTimeout(let limit):
      what = "no data moved between here and \(host) for \(NumberFormat.duration(limit))"
    case .connectionLost(let reason):
      what = "the connection to \(host) broke before the response was complete: \(reason)"
    case .truncated(let received, let announced):
      let whole = announced.map { " of \(NumberFormat.grouped($0))" } ?? ""
      what = "the response from \(host) was cut short: \(NumberFormat.grouped(received))\(whole) bytes arrived"
    case .tooMuch(let excess):
      what = "\(host) sent too much: \(Self.sentence(for: excess))"
      notes = ["the rest was not read"] + Self.advice(for: excess)
    case .malformedResponse(let reason):
      what = "\(host) replied with something that is not HTTP: \(reason)"
    case .file(let error):
      what = "\(error)"
    case .cancelled:
      what = "interrupted"
    case .other(let reason):
      what = "the transfer failed: \(reason)"
    }
    if outcome == .unknown {
      notes.append("the request had been sent: it is not known whether it took effect; check before you send it again")
    }
    self.init(Self.name(step) + what, place: step?.place, notes: notes)
  }

  private static func sentence(for excess: TransferLimits.Excess) -> String {
    switch excess {
    case .headBytes(let limit): "a head of more than \(NumberFormat.bytes(limit))"
    case .headLines(let limit): "a head of more than \(NumberFormat.grouped(limit)) lines"
    case .bodyBytes(let limit): "a body of more than \(NumberFormat.bytes(limit))"
    case .disk(let directory, let reserve):
      "a body that does not fit into \(directory): less than \(NumberFormat.bytes(reserve)) would be free there"
    case .ratio(let limit): "a body that unpacks to more than \(limit) times what was received"
    }
  }

  private static func advice(for excess: TransferLimits.Excess) -> [String] {
    switch excess {
    case .bodyBytes: ["to keep more: limit 64GiB, in the step or the profile"]
    case .disk: ["a directory with more space: TMPDIR=/path workbench …"]
    case .headBytes, .headLines, .ratio: []
    }
  }

  fileprivate init(_ unmet: UnmetExpectation, exchange: Exchange) {
    let step = exchange.description.head
    var notes: [String] = []
    if unmet.subject == "status" {
      notes += Self.notes(onRefusalIn: exchange)
      if let refusal = exchange.refusedRedirect {
        notes.append("the redirect was not followed: \(refusal.reason)")
        if let advice = refusal.advice { notes.append(advice) }
        notes.append("if the redirect is what you want: redirects none, or expect \(exchange.response.status.code)")
      }
    }
    self.init(
      "\(Self.name(step))\(unmet.sentence)",
      place: unmet.place ?? step.place, notes: notes)
  }
}

extension UploadError {
  /// What happened, without where and what to do.
  public var message: String {
    if let reports = ErrorReport.reports(of: self) { return reports.map(\.message).joined(separator: "; ") }
    guard case .sequence(let inner) = fact else { return "" }
    return "\(inner)"
  }
}
