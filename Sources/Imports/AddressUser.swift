package import RequestSyntax
internal import Requests

/// Who a URL says is asking, `https://user:password@host`: a request says that with `auth basic`.
package struct AddressUser {
  package let name: String
  package let password: String
  /// The URL without them.
  package let url: String

  /// nil if it says nothing about that.
  package init?(_ url: String) {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return nil }
    let sides = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
      $0.percentDecoded
    }
    name = sides[0]
    password = sides.count > 1 ? sides[1] : ""
    self.url = String(url[..<scheme.upperBound] + url[url.index(after: at)...])
  }

  package var clause: ClauseSyntax { .auth(.basic, .text(name), .text(password)) }
}

extension StepSyntax {
  /// Takes the user and the password out of the URL; what the step says about its credential itself counts before them.
  package mutating func takeAddressUser() {
    let user: AddressUser
    switch target {
    case .word(var word):
      guard case .text(let text)? = word.pieces.first, let found = AddressUser(text) else { return }
      word.pieces[0] = .text(found.url)
      target = .word(word)
      user = found
    case .string(var string):
      guard case .text(let text)? = string.pieces.first, let found = AddressUser(text) else { return }
      string.pieces[0] = .text(found.url)
      target = .string(string)
      user = found
    case .reference, .expression: return
    }
    if !saysWhoIsAsking { clauses.append(user.clause.placed(at: range)) }
  }

  private var saysWhoIsAsking: Bool {
    if items.contains(where: { $0.kind == .header && $0.key.text.lowercased() == "authorization" }) { return true }
    return clauses.contains { clause in
      switch clause.kind {
      case .auth: true
      case .header(.field(let name, _)), .header(.omitted(let name)): name.text.lowercased() == "authorization"
      case .header(.object(let object)):
        object.members.contains { member in
          if case .field(let key, _, _) = member { key.plainText?.lowercased() == "authorization" } else { false }
        }
      default: false
      }
    }
  }
}
