/// The functions of the language: what a pipe feeds, and what is called.
enum Function: String, CaseIterable {
  case count, first, last, sort, unique, join, split, replace, regex, upper, lower, trim, base64
  case base64Decode = "base64-decode"
  case urlEncode = "url-encode"
  case urlDecode = "url-decode"
  case sha256, md5
  case hmacSHA256 = "hmac-sha256"
  case json
  case parseJSON = "parse-json"
  case parseCSV = "parse-csv"
  case without, date
  case toNumber = "to-number"
  case toString = "to-string"
  case slice, chunks
  case uuid, now, random, file, ask, command

  /// Whether it stands behind a pipe; the others are called by themselves.
  var takesInput: Bool {
    switch self {
    case .uuid, .now, .random, .file, .ask, .command: false
    default: true
    }
  }

  /// How many arguments it takes beside the input.
  var argumentCounts: ClosedRange<Int> {
    switch self {
    case .split, .regex, .hmacSHA256, .chunks, .file, .ask, .command: 1...1
    case .join, .date: 0...1
    case .replace, .random: 2...2
    case .without: 1...16
    case .slice: 1...2
    default: 0...0
    }
  }

  /// Whether what it makes of a file is a file.
  var leavesFilesUnread: Bool {
    switch self {
    case .slice, .chunks: true
    default: false
    }
  }

  /// `one argument`, for messages.
  var argumentsWanted: String {
    let counts = argumentCounts
    let noun = counts.upperBound == 1 ? "argument" : "arguments"
    if counts.upperBound == 0 { return "no arguments" }
    if counts.lowerBound == counts.upperBound { return "\(counts.lowerBound) \(noun)" }
    return "\(counts.lowerBound) to \(counts.upperBound) \(noun)"
  }
}
