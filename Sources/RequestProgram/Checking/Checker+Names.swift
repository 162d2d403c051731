import Diagnostics
import RequestSyntax

/// What a `$name` stands for at its place: something that is declared, and has run.
extension Checker {
  mutating func check(_ reference: ReferenceSyntax) {
    checkSegments(reference.segments)
    let name = reference.root.text
    if name == "env" { checkEnvironment(reference) }
    let declared = name == "env" ? nil : checkName(name, reference.root.range)
    checkMembers(reference, of: declared?.typeOfReference ?? scope.type(ofRoot: name))
    checkRecorded(reference)
  }

  /// Members that no value of the kind has.
  private mutating func checkMembers(_ reference: ReferenceSyntax, of root: StaticType?) {
    var type = root
    for segment in reference.segments {
      guard let known = type, case .name(let member) = segment.kind else { return }
      if known.lacks(member) {
        return report(.unknownMember(member, of: known, root: reference.root.text), segment.range)
      }
      type = known.member(member)
    }
  }

  /// - Returns: what the name was declared as before it; nil: it was not, or there is something wrong with it.
  @discardableResult
  mutating func checkName(_ name: String, _ range: SourceRange) -> CheckScope.Declared? {
    if name == "_" {
      if !program.isPrompt { report(.onlyAtThePrompt("_"), range) }
      return nil
    }
    if let number = Int(name) {
      // At the prompt only the run knows how many exchanges there have been.
      if !program.isPrompt, number < 1 || number > scope.steps {
        report(.noSuchStep(number: number, count: scope.steps, sequence: sequence), range)
      }
      return nil
    }
    if sequence != nil { scope.used.insert(name) }
    if let ownLabel, ownLabel.name == name {
      let hides = scope.names[name] != nil
      if !ownLabel.repeats {
        report(isInFileName && !hides ? .savedUnderItself(name) : .usedInItself(name, hides: hides), range)
      }
    } else if siblings.contains(name) {
      report(.inParallel(name), range)
    } else if let declared = scope.declared(name) {
      return declared
    } else if scope.later.contains(name) {
      report(.usedBeforeItRuns(name, user: user?.text), range)
    } else if !scope.globals.contains(name) {
      reportUnknown(name, range)
    }
    return nil
  }

  private mutating func reportUnknown(_ name: String, _ range: SourceRange) {
    // Nobody reads that many; looking through all names for each would take forever.
    let known = errors.count < 100 ? scope.known : []
    if allowsMembers, Keywords.members.contains(name) { return report(.memberWithDollar(name), range) }
    if let minus = name.lastIndex(of: "-"), known.contains(String(name[..<minus])) {
      return report(.differenceWithoutSpaces(name, known: String(name[..<minus])), range)
    }
    report(.unknownReference(name, user: user?.text, known: known, isInSequence: sequence != nil), range)
  }

  mutating func declare(_ name: NameSyntax, _ kind: CheckScope.Kind, _ type: StaticType? = nil) {
    // Names with a meaning of their own.
    if name.text == "env" || name.text == "_" { report(.reservedName(name.text), name.range) }
    // At the prompt a name may be given again.
    if let earlier = scope.declare(name.text, kind, type), !program.isPrompt {
      report(.duplicateName(name.text, kind: earlier.kind.rawValue), name.range)
    }
  }
}
