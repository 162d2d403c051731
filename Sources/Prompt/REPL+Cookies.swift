internal import Diagnostics
internal import Formats
internal import HTTPTypes
internal import Presentation
internal import RequestSyntax
internal import Requests
internal import Sessions
internal import UploaderCore

extension REPL {
  /// `:cookies` lists the kept cookies, without their values; `:cookies clear` clears all of them or those of one
  /// profile.
  mutating func cookies(_ argument: String?, on printer: Printer) {
    var words = (argument ?? "").split(whereSeparator: \.isWhitespace)[...]
    switch words.popFirst() {
    case nil: printer.result(session.cookies.profiles.isEmpty ? cookiesThatAreNotKept : keptCookies)
    case "clear" where words.count < 2:
      let profile = words.popFirst().map(String.init)
      let cookies = session.cookies
      if let profile, !cookies.profiles.contains(profile) {
        return fail(ErrorReport("profile \"\(profile)\" keeps no cookies"))
      }
      let cleared = profile.map { [$0] } ?? cookies.profiles
      let count = cleared.reduce(0) { $0 + cookies.cookies(of: $1).count }
      cookies.clear(profile)
      clearedCookies.formUnion(cleared)
      printer.result(StyledText("\(count) \(count == 1 ? "cookie is" : "cookies are") forgotten.\n", .faint))
    default:
      fail(ErrorReport("cookies are listed or cleared", notes: [":cookies", ":cookies clear", ":cookies clear api"]))
    }
  }

  /// Declares the profile that keeps the cookies of a line with a jar, `curl -c jar`, `http --session=ann`, if no profile
  /// claims its URL.
  mutating func keepCookies(for meaning: MeantScript) async {
    guard let jar = meaning.unclaimedJar({ profiles.profile(of: $0, in: world) }),
      let origin = try? world.transport.origin(of: jar.url)
    else { return }
    let name = jar.name.flatMap { profiles[$0] == nil ? $0 : nil }
    await perform(ScriptSyntax([.profile(profileWithCookies(of: origin, named: name))]))
  }

  private func profileWithCookies(of origin: Origin, named wanted: String? = nil) -> ProfileSyntax {
    var saved = SavedProfiles(session: profiles)
    let name = wanted ?? saved.profile(for: origin, named: nil, asBase: true)
    let address = ExpressionSyntax.value("\(origin)")
    // Paths go on to the profile that they went to.
    return ProfileSyntax(name, [profiles.current == nil ? .base(address) : .origin(address), .cookies(isOn: true)])
  }

  /// Says of profiles that were declared again that what they keep is not sent any longer.
  func remark(onCookiesSince before: SessionProfiles) {
    for profile in session.cookies.profiles where before[profile]?.network.keepsCookies ?? false {
      guard let now = profiles[profile], !now.network.keepsCookies, !session.cookies.cookies(of: profile).isEmpty else {
        continue
      }
      errors.note("the cookies of \(profile) are no longer sent: it would have to say cookies on again")
    }
  }

  private var keptCookies: StyledText {
    var text = StyledText()
    for profile in session.cookies.profiles {
      text.append(profile, .strong)
      text.append(profiles[profile]?.network.keepsCookies ?? true ? "\n" : "  not sent: it does not say cookies on\n")
      let cookies = session.cookies.cookies(of: profile)
      let nameWidth = cookies.map(\.name.count).max() ?? 0
      let placeWidth = cookies.map(\.place.count).max() ?? 0
      for cookie in cookies {
        text.append("  \(cookie.name)\(String(repeating: " ", count: nameWidth - cookie.name.count))")
        text.append("  \(cookie.place)\(String(repeating: " ", count: placeWidth - cookie.place.count))  ")
        let left = cookie.expires.map { NumberFormat.duration(max(.zero, $0 - world.clock.now())) + " left" }
        text.append("\(left ?? "until you leave")\(cookie.isSecure ? ", over https only" : "")\n", .faint)
      }
    }
    return text
  }

  /// Why a server may have refused a request: it had set a cookie, which was not kept, or is kept no longer.
  func remark(onCookiesOf exchange: Exchange, number: Int) -> String? {
    guard [401, 403, 419].contains(exchange.response.status.code), !exchange.request.headers.contains(.cookie) else {
      return nil
    }
    // Who it was is known then.
    if exchange.request.headers.contains(.authorization) { return nil }
    // Where a server asks for something else, that is what it did not like.
    if exchange.response.status.code == 401, exchange.response.headers.contains(.wwwAuthenticate) { return nil }
    // And what is refused of a login is the password in it.
    if exchange.response.status.code == 401, exchange.request.bodySize > 0 { return nil }
    if profiles[exchange.profile]?.network.keepsCookies ?? false { return remark(onNoCookieOf: exchange) }
    let origin = exchange.request.origin
    let setter = run.exchanges.prefix(max(0, number - 1)).lastIndex {
      $0.request.origin == origin && $0.profile == exchange.profile && !$0.cookieLines.isEmpty
    }
    return setter.map { setter in
      let profile =
        profiles[exchange.profile].map { ProfileSyntax($0.name, [.cookies(isOn: true)]) }
        ?? profileWithCookies(of: origin)
      let line = SyntaxPrinter.print(.profile(profile)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return "$\(setter + 1) set a cookie, which was not sent; to keep them: \(line)"
    }
  }

  /// A profile that keeps cookies would have sent those that it has.
  private func remark(onNoCookieOf exchange: Exchange) -> String? {
    let profile = exchange.profile
    guard session.cookies.cookies(of: profile).isEmpty else {
      return "no cookie was sent: of those that \(profile) keeps, none belongs to this address (:cookies)"
    }
    return clearedCookies.contains(profile)
      ? "no cookie was sent: :cookies clear has cleared those of \(profile)"
      : "no cookie was sent: \(profile) keeps them, and \(loss(of: profile) ?? "has none yet")"
  }

  /// What became of the cookies of a profile that keeps them and has none; nil: none were set.
  private func loss(of profile: String) -> String? {
    let index = run.exchanges.lastIndex { $0.profile == profile && !$0.cookieLines.isEmpty }
    return index.map { index in
      let removed = run.exchanges[index].removedCookieNames
      return removed.isEmpty ? "has none anymore" : "$\(index + 1) removed \(removed.joined(separator: ", "))"
    }
  }

  private var cookiesThatAreNotKept: StyledText {
    for (index, exchange) in run.exchanges.enumerated().reversed() {
      let names = exchange.cookieNames
      guard !names.isEmpty else { continue }
      if clearedCookies.contains(exchange.profile) {
        return StyledText("No cookie is kept: they were cleared.\n", .faint)
      }
      if profiles[exchange.profile]?.network.keepsCookies ?? false {
        let loss = loss(of: exchange.profile) ?? ""
        return StyledText("No cookie is kept: \(exchange.profile) keeps them, and \(loss).\n", .faint)
      }
      var text = StyledText("No cookie is kept. $\(index + 1) set \(names.joined(separator: ", "))", .faint)
      text.append("; a profile keeps them with: cookies on\n", .faint)
      return text
    }
    return StyledText("No server has set a cookie.\n", .faint)
  }
}

extension Cookie {
  /// Where it is sent, as it is listed.
  fileprivate var place: String {
    "\(isHostOnly ? "" : "*.")\(domain)\([80, 443].contains(port) ? "" : ":\(port)")\(path)"
  }
}
