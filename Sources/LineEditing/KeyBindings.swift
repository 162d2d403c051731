/// Which keys do what: our bindings first, then those of the user's `~/.editrc` (editrc(5)).
struct KeyBindings {
  /// The functions this module adds to libedit's; the raw value is the name by which editrc files can bind them.
  enum Function: String, CaseIterable {
    case interrupt = "workbench-interrupt"
    case suspend = "workbench-suspend"
    case complete = "workbench-complete"
    case paste = "workbench-paste"
    case previousEntry = "workbench-previous"
    case nextEntry = "workbench-next"
    case previousWithPrefix = "workbench-prefix-previous"
    case nextWithPrefix = "workbench-prefix-next"
    case search = "workbench-search"
    case edit = "workbench-edit"
    case deleteWord = "workbench-delete-word"
    case nextWord = "workbench-next-word"
    case previousWord = "workbench-previous-word"
    case deleteNextWord = "workbench-delete-next-word"
    case deletePreviousWord = "workbench-delete-previous-word"
  }

  /// One binding; `inCommandMode` means vi's command map.
  struct Binding: Hashable {
    let key: String
    let function: Function
    var inCommandMode = false
  }

  /// The bindings applied before the user's.
  static let own: [Binding] = [
    Binding(key: "^C", function: .interrupt),
    Binding(key: "^Z", function: .suspend),
    Binding(key: "^I", function: .complete),
    Binding(key: String(KeyReader.pasteKey), function: .paste),
    Binding(key: "^P", function: .previousEntry),
    Binding(key: "^N", function: .nextEntry),
    Binding(key: "^R", function: .search),
    Binding(key: "^W", function: .deleteWord),
  ]

  /// With the emacs map only: in vi's, escape leaves insert mode.
  static let emacs: [Binding] = [
    Binding(key: "\u{1B}[A", function: .previousEntry),
    Binding(key: "\u{1B}OA", function: .previousEntry),
    Binding(key: "\u{1B}[B", function: .nextEntry),
    Binding(key: "\u{1B}OB", function: .nextEntry),
    Binding(key: "\u{1B}p", function: .previousWithPrefix),
    Binding(key: "\u{1B}n", function: .nextWithPrefix),
    Binding(key: "\u{1B}f", function: .nextWord),
    Binding(key: "\u{1B}b", function: .previousWord),
    Binding(key: "\u{1B}d", function: .deleteNextWord),
    Binding(key: "\u{1B}\u{7F}", function: .deletePreviousWord),
    Binding(key: "^X^E", function: .edit),
    Binding(key: BracketedPaste.begin, function: .paste),
  ]

  /// With vi's command map, which also sees the rest of an arrow key's sequence.
  static let viCommands: [Binding] = [
    ("^C", .interrupt), ("^Z", .suspend), (String(KeyReader.pasteKey), .paste),
    ("k", .previousEntry), ("^P", .previousEntry), ("[A", .previousEntry), ("OA", .previousEntry),
    ("j", .nextEntry), ("^N", .nextEntry), ("[B", .nextEntry), ("OB", .nextEntry),
    ("\u{1B}[A", .previousEntry), ("\u{1B}OA", .previousEntry), ("\u{1B}[B", .nextEntry), ("\u{1B}OB", .nextEntry),
    ("^R", .search), ("/", .search), ("?", .search), ("v", .edit),
  ].map { Binding(key: $0, function: $1, inCommandMode: true) }

  /// libedit's functions that use the history it does not have here, and their replacements.
  private static let substitutes: [String: Function] = [
    "ed-prev-history": .previousEntry,
    "ed-next-history": .nextEntry,
    "ed-search-prev-history": .previousWithPrefix,
    "ed-search-next-history": .nextWithPrefix,
    "em-inc-search-prev": .search,
    "em-inc-search-next": .search,
    "vi-search-prev": .search,
    "vi-search-next": .search,
    "vi-histedit": .edit,
    "rl_complete": .complete,
  ]

  /// The user's lines that choose between the emacs and the vi map; they are applied before our bindings.
  let choices: [[String]]
  /// The user's other lines; they are applied after ours.
  let others: [[String]]

  /// - Parameter lines: the words of each line of an editrc file.
  init(lines: [[String]]) {
    choices = lines.filter(Self.choosesMap)
    others = lines.filter { !Self.choosesMap($0) }.map { words in
      words.map { Self.substitutes[$0]?.rawValue ?? $0 }
    }
  }

  private static func choosesMap(_ words: [String]) -> Bool {
    guard let command = words.first?.split(separator: ":").last, command == "bind" else { return false }
    return words.dropFirst().contains { $0 == "-v" || $0 == "-e" }
  }
}
