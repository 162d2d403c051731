internal import JSONValue

/// What a page shows of an exchange, read from a step's line at once.
struct ShownExchange {
  /// Why it was sent again.
  private(set) var attempts: [String] = []
  private(set) var rounds: Int?
  /// Where in a group.
  private(set) var lane: String?
  /// The URLs before the last one.
  private(set) var redirects: [String] = []
  private(set) var signedIn: JSON?
  /// Nil if there was no request.
  private(set) var method: String?
  private(set) var url = ""
  private(set) var request: JSONObject?
  private(set) var version = ""
  private(set) var status: Int?
  /// Bytes.
  private(set) var size = 0
  private(set) var headers: JSON?
  private(set) var body: JSON?

  init(_ step: ReportLine) {
    // The line itself comes last, because it is what counts where both have a member.
    for member in step.details.members { read(member) }
    for member in step.object.members { read(member) }
  }

  private mutating func read(_ member: JSONObject.Member) {
    let value = member.value
    // Lengths are compared first, which nearly always is enough.
    switch (member.key.utf8.count, member.key) {
    case (3, "url"): url = value.string ?? ""
    case (4, "lane"): lane = value.string
    case (4, "size"): size = value.int ?? 0
    case (4, "body"): body = value
    case (6, "method"): method = value.string
    case (6, "rounds"): rounds = value.int
    case (6, "status"): status = value.int
    case (7, "headers"): headers = value
    case (7, "request"): request = value.object
    case (8, "protocol"): version = value.string ?? ""
    case (9, "redirects"): redirects = (value.array ?? []).map { $0.string ?? "" }
    case (9, "signed-in"): signedIn = value
    case (15, "failed-attempts"): attempts = (value.array ?? []).compactMap(\.string)
    default: break
    }
  }
}
