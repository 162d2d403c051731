import Foundation
import Glibc
import PseudoTerminal
import Testing

/// What only a terminal shows.
@Suite("At a terminal", .serialized, .timeLimit(.minutes(2)))
struct TerminalTests {
  @Test(
    "keys edit the line",
    arguments: [
      ("GET /x\r", "GET /x"),
      ("GEX\u{7F}T\r", "GET"),
      ("ET\u{1}G\u{5} /\r", "GET /"),
      ("a name=ann x\u{1}\u{1B}f\u{1B}f!\r", "a name!=ann x"), ("one=two\u{1B}b!\r", "one=!two"),
      ("name=ann\u{1}\u{1B}dX\r", "X=ann"), ("name=änn\u{1B}\u{7F}bob\r", "name=bob"),
      ("one two\u{17}three\r", "one three"), ("a=1 b=$c.d-e\u{17}f\r", "a=1 f"), ("one b=2 \u{17}c\r", "one c"),
      ("ac\u{1B}[Db\r", "abc"),
      ("größe\u{7F}n\r", "größn"),
      ("日本語\u{7F}\u{1B}[D\u{7F}\r", "本"),
      ("e\u{301}👍🏽\r", "e\u{301}👍🏽"),
      ("\u{3}", "interrupted"),
      ("half a line\u{3}", "interrupted"),
      ("\u{4}", "end"),
      ("   spaces stay  \r", "   spaces stay  "),
      ("\r", ""),
    ])
  func editing(keys: String, result: String) throws {
    let terminal = try PseudoTerminal()
    #expect(try terminal.answer(to: keys) == result)
  }

  @Test("a line wider than the screen comes back complete")
  func longLine() throws {
    let terminal = try PseudoTerminal(columns: 20)
    let long = String(repeating: "0123456789", count: 300)
    #expect(try terminal.answer(to: long + "\r") == long)
  }

  @Test("the prompt is colored, and the reset is not lost")
  func colouredPrompt() throws {
    let terminal = try PseudoTerminal()
    let prompt = try terminal.wait(for: "> ")
    #expect(prompt.contains("\u{1B}[32mp"))
    #expect(prompt.contains("\u{1B}[0m> "))
  }

  @Test("after ^C the terminal continues, ^D ends")
  func goingOn() throws {
    let terminal = try PseudoTerminal()
    #expect(try terminal.answer(to: "abc\u{3}") == "interrupted")
    #expect(try terminal.answer(to: "def\r") == "def")
    #expect(try terminal.answer(to: "\u{4}") == "end")
    #expect(terminal.exitCode() == 0)
  }

  @Test("arrow keys walk the history, and come back to the line that was begun")
  func arrows() throws {
    let terminal = try PseudoTerminal()
    let up = "\u{1B}[A"
    let down = "\u{1B}[B"
    #expect(try terminal.answer(to: "first\r") == "first")
    #expect(try terminal.answer(to: "second\r") == "second")
    #expect(try terminal.answer(to: up + up + "\r") == "first")
    #expect(try terminal.answer(to: "draft" + up + up + down + down + "!\r") == "draft!")
  }

  @Test("an open bracket continues, and comes back as one history entry")
  func continuation() throws {
    let terminal = try PseudoTerminal()
    try terminal.waitForPrompt()
    terminal.type("POST json {\r")
    try terminal.wait(for: "...> ")
    terminal.type("\"a\": 1\r")
    try terminal.wait(for: "...> ")
    terminal.type("}\r")
    try terminal.wait(for: "<POST json {|\"a\": 1|}>")
    #expect(try terminal.answer(to: "\u{1B}[A\r") == "POST json {|\"a\": 1|}")
  }

  @Test("^C in a continuation line discards the whole statement")
  func interruptedContinuation() throws {
    let terminal = try PseudoTerminal()
    try terminal.waitForPrompt()
    terminal.type("{\r")
    try terminal.wait(for: "...> ")
    terminal.type("x\u{3}")
    try terminal.wait(for: "<interrupted>")
    #expect(try terminal.answer(to: "next\r") == "next")
  }

  @Test("pasted lines are one input, submitted with Return")
  func paste() throws {
    let terminal = try PseudoTerminal()
    #expect(try terminal.answer(to: "\u{1B}[200~GET /a\r\nGET /b\n\u{1B}[201~\r") == "GET /a|GET /b")
    #expect(try terminal.answer(to: "\u{1B}[200~\tx\u{3}\u{1B}[31my\u{1B}[201~z\r") == "\tx[31myz")
  }

  @Test("Tab inserts what is unambiguous, and lists the rest with previews")
  func completion() throws {
    let terminal = try PseudoTerminal()
    #expect(try terminal.answer(to: "x h\t\r") == "x headers ")
    #expect(try terminal.answer(to: "gr\t\r") == "größe ")
    try terminal.waitForPrompt()
    terminal.type("b\t")
    try terminal.wait(for: "ody.s")
    terminal.type("\t")
    try terminal.wait(for: "body.snapshot  ")
    try terminal.wait(for: "\"13 characters\"")
    try terminal.wait(for: "body.state")
    try terminal.wait(for: "> ")
    terminal.type("t\t\r")
    try terminal.wait(for: "<body.state >")
  }

  @Test("^R searches, M-p searches by prefix")
  func search() throws {
    let terminal = try PseudoTerminal()
    for line in ["GET /sheets", "POST /sheets", "GET /health"] {
      #expect(try terminal.answer(to: line + "\r") == line)
    }
    #expect(try terminal.answer(to: "\u{12}sheets\r") == "POST /sheets")
    #expect(try terminal.answer(to: "\u{12}GET\u{12}\r") == "GET /sheets")
    #expect(try terminal.answer(to: "abc\u{12}GET\u{7}d\r") == "abcd")
    #expect(try terminal.answer(to: "POST\u{1B}p!\r") == "POST! /sheets")
    // Escape alone ends it and keeps what was found; an arrow moves in that.
    try terminal.waitForPrompt()
    terminal.type("\u{12}/health")
    try terminal.wait(for: "(search) /health: ")
    terminal.type("\u{1B}")
    try terminal.wait(for: "> GET /health")
    terminal.type("\r")
    try terminal.wait(for: "<GET /health>")
    #expect(try terminal.answer(to: "\u{12}/health\u{1B}[C\u{1B}[CX\r") == "GET /hXealth")
  }

  @Test("no key of a search erases the screen from its first column, which would keep a copy among the lines above")
  func searchAtTop() throws {
    let terminal = try PseudoTerminal()
    #expect(try terminal.answer(to: "GET /sheets\r") == "GET /sheets")
    try terminal.waitForPrompt()
    terminal.type("\u{12}she")
    let shown = try terminal.wait(for: "(search) she: GET /sheets")
    #expect(!shown.contains("\r\u{1B}[J"), "\(shown)")
    terminal.type("\r")
    try terminal.wait(for: "<GET /sheets>")
  }

  @Test("^X^E edits the line in $EDITOR")
  func editor() throws {
    let terminal = try PseudoTerminal(environment: ["EDITOR": "sed -i 's/one/two/; $a three'"])
    try terminal.waitForPrompt()
    terminal.type("one\u{18}\u{5}")
    try terminal.wait(for: "three")
    terminal.type("\r")
    try terminal.wait(for: "<two|three>")
  }

  @Test("the user's editrc is respected: vi keys, own bindings")
  func editrc() throws {
    let home = URL.temporaryDirectory.appending(path: "line-editing-\(UUID())")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    try Data("# mine\nbind -v\nbind ^T ed-search-prev-history\n".utf8).write(to: home.appending(path: ".editrc"))
    let terminal = try PseudoTerminal(environment: ["HOME": home.path])
    #expect(try terminal.answer(to: "abc\u{1B}0iX\r") == "Xabc")
    #expect(try terminal.answer(to: "\u{1B}kA!\r") == "Xabc!")
    #expect(try terminal.answer(to: "X\u{14}\u{14}\r") == "Xabc")
    #expect(try terminal.answer(to: "x h\t\r") == "x headers ")
    #expect(try terminal.answer(to: "\u{1B}[A\u{1B}[A\r") == "Xabc")
    #expect(try terminal.answer(to: "ab\u{1B}[200~x\ry\u{1B}[201~c\r") == "abx|yc")
    #expect(try terminal.answer(to: "abc\u{1B}/X\r") == "Xabc")
    #expect(try terminal.answer(to: "\u{1B}\u{3}") == "interrupted")
  }

  @Test("a resized window is redrawn, and the line stays")
  func resize() throws {
    let terminal = try PseudoTerminal(columns: 40)
    try terminal.waitForPrompt()
    terminal.type(String(repeating: "x", count: 50))
    try terminal.wait(for: "xxxxxxxxxx")
    terminal.resize(columns: 100, rows: 30)
    try terminal.wait(for: "\u{1B}[J")
    try terminal.wait(for: String(repeating: "x", count: 50))
    terminal.type("y\r")
    try terminal.wait(for: "<" + String(repeating: "x", count: 50) + "y>")
  }

  @Test("the terminal's modes are restored after every read, and at the end")
  func modesAfterReads() throws {
    let terminal = try PseudoTerminal()
    let before = terminal.initialModes
    try terminal.waitForPrompt()
    #expect(terminal.modes != before)
    terminal.type("{\r")
    try terminal.wait(for: "...> ")
    terminal.type("}\r")
    try terminal.waitForPrompt()
    terminal.type("\u{4}")
    try terminal.wait(for: "<end>")
    #expect(terminal.exitCode() == 0)
    #expect(terminal.modes == before)
  }

  @Test("signals that end the process leave a usable terminal", arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGSEGV])
  func modesAfterSignals(signal: Int32) throws {
    let terminal = try PseudoTerminal(environment: ["SWIFT_BACKTRACE": "enable=no"])
    let before = terminal.initialModes
    try terminal.waitForPrompt()
    terminal.type("some text")
    try terminal.wait(for: "text")
    #expect(terminal.modes != before)
    kill(terminal.process, signal)
    #expect(terminal.exitCode() == -signal)
    #expect(terminal.modes == before)
    #expect(terminal.rest.contains("\u{1B}[?2004l"))
  }

  @Test("so does a process that exits in the middle of a line")
  func modesAfterExit() throws {
    let terminal = try PseudoTerminal(environment: ["PROBE_EXIT_AFTER": "0.3"])
    let before = terminal.initialModes
    try terminal.waitForPrompt()
    #expect(terminal.modes != before)
    #expect(terminal.exitCode() == 3)
    #expect(terminal.modes == before)
  }

  @Test("a cancelled read releases the terminal, and the next one works")
  func cancellation() throws {
    let terminal = try PseudoTerminal(environment: ["PROBE_CANCEL_AFTER": "0.3"])
    try terminal.wait(for: "cancelled> ")
    try terminal.wait(for: "<interrupted>")
    #expect(try terminal.answer(to: "next\r") == "next")
  }

  @Test("^C in a search cancels the line too")
  func interruptedSearch() throws {
    let terminal = try PseudoTerminal()
    #expect(try terminal.answer(to: "first\r") == "first")
    #expect(try terminal.answer(to: "\u{12}fir\u{3}") == "interrupted")
    #expect(try terminal.answer(to: "next\r") == "next")
  }

  @Test("an interrupt from outside cancels the line like ^C")
  func interruptFromOutside() throws {
    let terminal = try PseudoTerminal()
    try terminal.waitForPrompt()
    terminal.type("abc")
    try terminal.wait(for: "abc")
    kill(terminal.process, SIGINT)
    try terminal.wait(for: "<interrupted>")
    #expect(try terminal.answer(to: "def\r") == "def")
  }

  @Test("stopped and resumed, it continues with the same line")
  func stopped() throws {
    let terminal = try PseudoTerminal()
    let before = terminal.initialModes
    try terminal.waitForPrompt()
    let editing = terminal.modes
    terminal.type("abc")
    try terminal.wait(for: "abc")
    kill(terminal.process, SIGSTOP)
    var status: Int32 = 0
    waitpid(terminal.process, &status, WUNTRACED)
    #expect(editing != before)
    kill(terminal.process, SIGCONT)
    try terminal.wait(for: "abc")
    #expect(terminal.modes == editing)
    terminal.type("\u{1A}d\r")
    try terminal.wait(for: "<abcd>")
  }
}
