internal import RequestSyntax
package import Requests
package import Sessions
internal import UploaderCore

extension MeantScript {
  /// Reads the file of `curl -b FILE`: its cookies for the URL are sent with this request, and with no other. Where there is
  /// no such file, those that the profile keeps are meant.
  ///
  /// - Parameters:
  ///   - kept: files that `-c` named before, of which none was written.
  ///   - profile: that of a URL or path.
  package mutating func readCookies(
    in world: World, besides kept: Set<String> = [], _ profile: (String) -> SessionProfile?
  ) {
    guard let (path, target) = cookieFile, !kept.contains(path), let bytes = try? world.readFile(path),
      let file = CookieFile(String(decoding: bytes, as: UTF8.self))
    else { return }
    let url = target.contains("://") ? target : profile(target)?.base?.url(appending: "\(target.drop { $0 != "/" })")
    guard let url, let origin = try? world.transport.origin(of: url) else { return }
    let sent = file.header(for: origin, url, now: world.clock.now())
    let (own, all) = (sent?.count ?? 0, file.count)
    send(
      cookies: sent?.text,
      remark: own == all
        ? "-b \(path): sent with its cookies" : "-b \(path): \(own) of its \(all) cookies are for \(origin)")
  }
}

extension StepSyntax {
  /// Sends these cookies after its own.
  mutating func send(cookies: String) {
    func joined(_ value: ExpressionSyntax) -> ExpressionSyntax? {
      value.plainText.map { .text("\($0); \(cookies)") }
    }
    for index in clauses.indices {
      guard case .header(let fields) = clauses[index].kind else { continue }
      switch fields {
      case .field(let name, let value) where name.text.lowercased() == "cookie":
        if let value = joined(value) { clauses[index].kind = .header(.field(name, value)) }
        return
      case .object(var object):
        for place in object.members.indices {
          guard case .field(let key, let value, let typed) = object.members[place],
            key.plainText?.lowercased() == "cookie", let value = joined(value)
          else { continue }
          object.members[place] = .field(key: key, value: value, typed)
          clauses[index].kind = .header(.object(object))
          return
        }
      case .field, .omitted: continue
      }
    }
    clauses.append(.header("Cookie", .text(cookies)))
  }
}
