public import Diagnostics
public import Requests

/// Why a program cannot go on, as a fact with its place in the script.
public struct ProgramError: Error, Sendable, Hashable {
  /// What `$env` is in messages.
  static let environment = "the environment"

  public enum Fact: Sendable, Hashable {
    /// A path that finds nothing: `subject` has no `member`. With what was there instead, the names that exist, and what
    /// may have been meant.
    case missing(subject: String, member: Quoted, known: [String], step: String?, found: String?, hint: String? = nil)
    /// Several variables of the environment, which a run would read.
    case missingVariables([MissingVariable], advice: String)
    /// A step that did not run, or has not run yet.
    ///
    /// - Parameters:
    ///   - isName: of a `let` or `secret`, which has no value then.
    ///   - last: of a number, the last that there is.
    ///   - isCredential: whether a profile takes its credential from it, and could do without.
    case notRun(String, isName: Bool = false, last: Int? = nil, isCredential: Bool = false)
    /// A step with `repeat` whose first round reads from the one before.
    ///
    /// - Parameter hides: whether another step had its label.
    case beforeFirstRound(String, hides: Bool)
    /// The first element of an empty array, a regex without a match, …
    case nothing(String)
    case unknownName(String, known: [String])
    /// A value of one kind where another is wanted.
    case wrongKind(wanted: String, actual: String)
    /// A negative duration, or nothing where there must be something.
    case tooSmall(Extent)
    /// - Parameter hint: what may have been meant.
    case notComparable(String, String, hint: String? = nil)
    case divisionByZero
    case number(Quoted)
    /// A time or a duration that is out of range: the sentence that reports it.
    case timeRange(String)
    /// A value that is too large to be allowed: the sentence that reports it.
    case tooLarge(String)
    /// A path or filter that took longer than somebody at the prompt waits.
    case tookTooLong(Duration)
    case xpathTookTooLong(Duration)
    /// ^C.
    case interrupted
    case unknownFunction(String, known: [String])
    case arguments(function: String, wanted: String)
    case invalidRegex(Quoted)
    case invalidEncoding(String, Quoted)
    case file(FileError)
    /// An interpolated path segment that is empty, `.` or `..`.
    case pathSegment(Quoted)
    /// A name or value of a header field with a character that is never allowed.
    case headerName(Quoted)
    case headerValue(name: Quoted)
    /// Whitespace at the ends of a field's value, which is not part of it (RFC 9110 §5.5).
    case headerWhitespace(name: Quoted)
    /// A credential without a token.
    case emptyToken
    /// The user of `auth basic` contains the character that separates it from its password.
    case colonInUser
    case relativeURL(Quoted, from: Provenance)
    case invalidURL(Quoted)
    case invalidOrigin(Quoted, OriginError)
    case unknownProfile(String, known: [String])
    case parameterType(name: String, type: String, value: Quoted)
    /// A text that is set for a name, in place of a value of another kind.
    case settingKind(name: String, kind: String, value: Quoted)
    case missingArgument(String, sequence: String)
    case unknownSetting(String, known: [String])
    /// A secret, and how its value is written.
    case secretSetting(String, from: String)
    /// The sequence that is to be run.
    case unknownSequence(String, known: [String])
    case missingSetting(String, sequence: String)
    case unavailableSecret(Quoted)
    /// There is no signer with this name, it lacks this member, or it has one that it does not take.
    case unknownSigner(String)
    case signerMember(String, of: Signer)
    case unknownSignerMember(Quoted, of: Signer)
    case secretTooShort(String)
    case emptySecret(String)
    /// A program that should provide a secret failed, or none may be run here.
    case command(Quoted)
    case noCommands
    /// A part of a file's path that came from a server and is more than a name.
    case foreignPath(Quoted)
    /// A value made from a secret is in a text that would be written down or looked up: a path, an address.
    case secretMisplaced(String)
    case repeatedTooOften(Int)
    case depthExceeded
    case duplicateBody
    case network(NetworkSettingError)
    case signIn(SignInSettingError)
    case awsKeys(AWSKeyError)
    case presign(PresignError)
    /// A file is not text: the first byte, from 0, that is not UTF-8.
    case fileNotText(path: String, offset: Int)
    /// XPath found nothing to look into, or is none.
    case xpath(Quoted)
  }

  /// A variable that the environment lacks, and where it is read.
  public struct MissingVariable: Sendable, Hashable {
    public var name: String
    public var place: String
  }

  public var fact: Fact
  public var source: SourceText
  public var range: SourceRange

  public init(_ fact: Fact, in source: SourceText, at range: SourceRange) {
    self.fact = fact
    self.source = source
    self.range = range
  }

  /// Whether it is a variable of the environment that is missing: the script is right, and elsewhere it may be run.
  public var isMissingVariable: Bool {
    switch fact {
    case .missing(Self.environment, _, _, _, _, _), .missingVariables: true
    default: false
    }
  }

  /// Whether `??`, `until` and expectations treat it as "not there".
  public var isMissing: Bool {
    switch fact {
    case .missing, .notRun, .beforeFirstRound, .nothing: true
    default: false
    }
  }
}

extension ProgramError.Fact {
  /// Of a variable that is missing for a credential: says which requests do without it.
  mutating func mentionsNone() {
    guard case .missing(let subject, let member, let known, let step, let found, let hint) = self,
      subject == ProgramError.environment
    else { return }
    let none = [hint, "a request with auth none does not need it"].compactMap(\.self).joined(separator: "; ")
    self = .missing(subject: subject, member: member, known: known, step: step, found: found, hint: none)
  }

  /// `$env.NAME`, which is not among the variables of the environment.
  ///
  /// - Parameters:
  ///   - written: how it is written; in another tool's file, as `{{name}}`.
  ///   - isSecret: whether a secret is made of it, which a command line cannot set.
  ///   - near: a variable of the same file that may be meant.
  static func missingVariable(
    _ name: String, in environment: ProgramEnvironment, written: String, isSecret: Bool = false, near: String? = nil
  ) -> Self {
    var advice = environment.variableAdvice
    // `{{$processEnv NAME}}` is no name that can be set.
    if written.hasPrefix("{{"), !written.hasPrefix("{{$") {
      let setting = "give it: --set \(written.filter { !"{} ".contains($0) })=…"
      advice =
        advice == ProgramEnvironment.commandLineAdvice
        ? "export \(name), or \(isSecret ? "give it with --env-file" : setting)" : "\(advice): \(name)=…"
    }
    if let near { advice = "did you mean {{\(near)}}? if not: \(advice)" }
    return .missing(
      subject: ProgramError.environment, member: Quoted(written: name), known: Array(environment.variables.keys),
      step: nil, found: nil, hint: advice)
  }
}
