import Diagnostics
import RequestSyntax
import Requests

/// Where a step goes: to a profile that exists, or to a URL that no two profiles claim.
extension Checker {
  mutating func check(_ target: TargetSyntax, _ step: StepSyntax) {
    switch target {
    case .word(let word): checkWord(word, step)
    case .string(let string):
      if let text = string.plainText, text.hasPrefix("$") { return report(.invalidURL(text), string.range) }
      check(.string(string))
      // What a text with values in it becomes is known only of a path.
      let isWhole = string.plainText != nil
      if case .text(let head)? = string.pieces.first, isWhole || head.hasPrefix("/") {
        checkScriptTarget(head, step, string.range, isWhole: isWhole)
      }
    case .expression(let expression):
      check(expression)
      expectText(expression)
    case .reference(let reference, let tail):
      check(.reference(reference))
      expectText(.reference(reference))
      if let tail { check(.word(tail)) }
    }
  }

  private mutating func checkWord(_ word: WordSyntax, _ step: StepSyntax) {
    check(.word(word))
    guard case .text(let head)? = word.pieces.first else {
      return report(.targetBeginsWithExpression, word.range)
    }
    let isWhole = word.plainText != nil
    if !isWhole, let scheme = head.schemeEnd {
      let authority = head[scheme.upperBound...]
      if !authority.contains("/"), !authority.contains("?") { return report(.expressionInHost, word.range) }
    }
    checkScriptTarget(head, step, word.range, isWhole: isWhole, value: word.pieces.dropFirst().first)
  }

  /// A target that the script's own text gives, or begins.
  ///
  /// - Parameter value: what follows it.
  private mutating func checkScriptTarget(
    _ text: String, _ step: StepSyntax, _ range: SourceRange, isWhole: Bool, value: WordSyntax.Piece? = nil
  ) {
    let text = text.withoutSpaces
    let first = text.utf8.first
    if first == UInt8(ascii: "/") || first == UInt8(ascii: "?") {
      // At the prompt the profile in use decides.
      if step.profileName == nil, !program.isPrompt, basedProfiles.count != 1 {
        report(.noProfileForPath(known: basedProfiles), range)
      }
    } else if first == UInt8(ascii: ":") {
      // HTTPie's `:8080/x` and `:/x`.
      let rest = text.dropFirst().drop { $0.isASCII && $0.isNumber }
      let isLocal = rest.first == "/" || text.count > 1 && (rest.isEmpty || rest.first == "?")
      report(isLocal ? .targetWithoutScheme(isWhole ? text : source[range]) : .invalidURL(text), range)
    } else if let (name, path) = TargetSyntax.profileAndPath(text) {
      let named = range.beginning(name.utf8.count)
      if let profile = profiles[name] {
        if !profile.hasBase { report(.noBase(name, path: String(path), origin: profile.onlyOrigin), named) }
      } else {
        checkProfile(name, named)
      }
    } else if text.last == ":", profiles[String(text.dropLast())] != nil {
      let expression: ExpressionSyntax? = if case .interpolation(let expression, _)? = value { expression } else { nil }
      let written = expression.map { source[$0.range] }
      report(.pathWithoutSlash(profile: String(text.dropLast()), value: written), range)
    } else if !text.isURL {
      report(
        Checker.looksLikeHost(text) ? .targetWithoutScheme(isWhole ? text : source[range]) : .invalidURL(text), range)
    } else if step.profileName == nil {
      checkAmbiguity(text, range)
    }
  }

  /// `example.com/x`, `localhost:8080`.
  private static func looksLikeHost(_ text: String) -> Bool {
    let host = text.prefix { !"/?:".contains($0) }
    return host == "localhost" || (host.contains(".") && (try? Origin("http://\(host)")) != nil)
  }

  /// Two profiles that match equally well are an error that names both, not a guess.
  private mutating func checkAmbiguity(_ url: String, _ range: SourceRange) {
    // At the prompt, the one in use decides.
    if program.isPrompt || staticProfiles.all.count < 2 { return }
    guard let text = url.originText, let origin = try? Origin(text) else { return }
    do throws(ProfileError) {
      _ = try staticProfiles.profile(for: origin)
    } catch {
      if case .ambiguous(_, let names) = error { report(.ambiguousProfiles(names, origin: "\(origin)"), range) }
    }
  }
}

extension StepSyntax {
  /// The profile of `with profile`.
  var profileName: String? {
    for clause in clauses {
      if case .profile(let name) = clause.kind { return name.text }
    }
    return nil
  }
}
