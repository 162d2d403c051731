import Diagnostics
import RequestSyntax
import Requests

/// What the check found, as a fact with its place.
struct CheckError: Error, Hashable {
  enum Fact: Hashable {
    case unknownReference(String, user: String?, known: [String], isInSequence: Bool = false)
    /// `$body`, where `body` is meant, without `$`.
    case memberWithDollar(String)
    /// `$a-1`, where `$a` is known.
    case differenceWithoutSpaces(String, known: String)
    case usedBeforeItRuns(String, user: String?)
    case usedInItself(String, hides: Bool)
    /// `save body to "{$name.body.id}.json"` of the step with that label.
    case savedUnderItself(String)
    case noSuchStep(number: Int, count: Int, sequence: String?)
    case onlyAtThePrompt(String)
    /// `until $_.body.done`, with what is after `$_.`, if anything is.
    case untilReadsLast(path: String)
    case duplicateName(String, kind: String)
    case unusedParameter(String, sequence: String)
    case unknownSequence(String, known: [String])
    case unknownParameter(String, sequence: String, known: [String])
    case duplicateArgument(String)
    case tooManyArguments(sequence: String, count: Int)
    case missingArgument(String, sequence: String)
    case unknownType(String)
    case unknownFunction(String)
    case functionArguments(String, wanted: String)
    case functionNeedsPipe(String)
    case functionTakesNoInput(String)
    case unknownProfile(String, known: [String])
    case noProfileForPath(known: [String])
    case profileNeedsStep(String)
    case unusualMethod(String, meant: String)
    case bodyItemOnGet(String, method: String)
    case bodyOnGet(String)
    /// `tls { insecure: true }`
    case insecure
    case twoBodies
    case invalidURL(String)
    case invalidOrigin(String, kind: String, OriginProblem)
    case invalidHeaderName(String)
    /// `header Authorization:`
    case omittedAuthorization
    /// `header X: 1` and `header X:`
    case givenAndOmitted(String)
    case targetBeginsWithExpression
    case expressionInHost
    case invalidRegex(String)
    case invalidFilter(String)
    case basicNeedsTwo
    case looksSecret(String)
    case onlyAtTopLevel(String)
    case clauseOfRun(String)
    case environmentPath
    case namedArgument(String, function: String)
    case repeatedClause(String)
    case reservedName(String)
    case noBase(String, path: String, origin: String?)
    case profileWithoutOrigin(String)
    /// It would replace one that has an origin, and these settings.
    case profileLosesOrigin(String, settings: [String])
    case ambiguousProfiles([String], origin: String)
    case targetWithoutScheme(String)
    case bearerNeedsOne
    /// With what is read of it, if that is only a part.
    case secretElsewhere(String, part: String?, allowed: [String], origin: String)
    case secretSetLater(String, profile: String)
    case wrongType(WantedType, found: StaticType)
    case parameterType(String, ParameterType, found: StaticType)
    case notComparable(StaticType, StaticType)
    case tooSmall(Extent)
    case addedText
    /// No value of that kind has such a member.
    case unknownMember(String, of: StaticType, root: String)
    /// One branch of `parallel` uses another.
    case inParallel(String)
    case parallelLimit
    /// `api:{…}`.
    case pathWithoutSlash(profile: String, value: String?)
    /// `expect` with a number that is not a status.
    case noStatus(String)
    case typedOutsideMultipart
    /// A path that a recorded run's response did not have, as the run would report it.
    case notInRecordedResponse(String, label: String?, notes: [String])
    case commandInScript
    case unknownSigner(String)
    case signerNeedsObject(Signer)
    case missingSignerMember(String, of: Signer)
    case unknownSignerMember(String, of: Signer)
    case useOfExpression
    case notInEnvironment
    case tagsAfterStep
    /// `is snapshot` where it is not an expectation by itself.
    case snapshotElsewhere
    case snapshotWithoutLabel
    /// At the prompt, on standard input.
    case snapshotWithoutFile
    /// Its file is not a shape, or cannot be read: one sentence.
    case wrongSnapshot(String)
    /// The paths, from the one that is used again back to itself.
    case useCycle([String])
    case unreadableUse(String)
    case network(NetworkSettingError)
    case framing(FramingFault)
    /// `save body to "out/"`
    case savedToDirectory(String)
    /// `name:='[1, 2]'`
    case jsonInQuotes(String, text: String)
    /// `name=“text”`
    case typographicQuotes(String)
    /// A name that has a value, in a text without braces: `"Bearer $token"`.
    case nameInText(String, written: String, isWord: Bool)
    /// The same in a word that is typed: `/orders/$id`.
    case nameInWord(String, written: String)
    case signIn(SignInSettingError)
    case digestNeedsTwo
    /// Two steps with this label, in different blocks, have a snapshot of the same name.
    case sharedSnapshot(label: String)
    /// `{ a: 1, a: 2 }` as JSON.
    case repeatedMember(String)
    /// `save body to "{body.id}.json"`, with what is in the braces.
    case plainBraces(String)
    /// `file("…")`, as it is written.
    case missingFile(String)
    /// `until links.next == null`, with what is compared: it is missing, and never null.
    case neverNull(String, isTyped: Bool)
    /// `GET /x repeat until not links.next`, with the target: it is the same in each round.
    case samePage(String, label: String, isTyped: Bool)
    /// `If-Match: "abc"`, with the tag: the quotes are the language's.
    case bareEntityTag(String, tag: String)
    /// `until status == "done"`, with the member: it is a number.
    case neverText(String)
  }

  /// Why a text is not an origin or a base.
  struct OriginProblem: Hashable {
    var sentence: String
  }

  var fact: Fact
  var range: SourceRange

  var severity: Diagnostic.Severity {
    switch fact {
    // Who typed it waits for what would be sent a thousand times.
    case .neverNull(_, let isTyped), .samePage(_, _, let isTyped): isTyped ? .error : .warning
    case .jsonInQuotes, .nameInText, .repeatedMember, .plainBraces, .missingFile, .neverText,
      .bareEntityTag, .unusedParameter, .unusualMethod, .bodyOnGet, .insecure, .looksSecret, .profileWithoutOrigin,
      .notInRecordedResponse, .typographicQuotes:
      .warning
    default: .error
    }
  }
}
