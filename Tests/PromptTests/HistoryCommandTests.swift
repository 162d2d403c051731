import LineEditing
import Testing

@Suite struct HistoryCommandTests {
  private func screen(_ line: String, entries: [String]) async throws -> String {
    let history = History(path: nil)
    for entry in entries { try history.append(entry) }
    var session = PromptSession()
    session.history = history
    return await session.pipe([line]).screen
  }

  @Test func `a number is how many of the last entries are listed`() async throws {
    let entries = (1...60).map { "let x = \($0)" }
    #expect(try await screen(":history 2", entries: entries) == "let x = 59\nlet x = 60\n")
    #expect(try await screen(":history 55", entries: entries).hasPrefix("let x = 6\n"))
    #expect(try await screen(":history", entries: entries).hasPrefix("… older ones: :history 500\nlet x = 11\n"))
    #expect(try await screen(":history 70", entries: entries).hasPrefix("let x = 1\n"))
  }

  @Test(arguments: [
    (":history a.test/x?y=", "GET https://a.test/x?y=8\n"), (":history /^let/", "let x = 8\n"),
    (":history /8$/", "GET https://a.test/x?y=8\nlet x = 8\n"), (":history let x", "let x = 8\n"),
    (":history PUT", "No entry has PUT; a regular expression is between slashes: :history /POST.*snapshots/\n"),
    (":history /^PUT/", "No entry has /^PUT/\n"),
  ]) func `any other word is searched for`(line: String, shown: String) async throws {
    let entries = ["GET https://a.test/x?y=8", "let x = 8", "DELETE https://a.test/x"]
    #expect(try await screen(line, entries: entries) == shown)
  }

  @Test func `it goes through a program, and in a pattern a bar is one`() async throws {
    let history = History(path: nil)
    for entry in ["GET /a", "GET /b", "let x = 8"] { try history.append(entry) }
    var session = PromptSession()
    session.history = history
    session.program = { command, input in "<\(command)> \(String(decoding: input, as: UTF8.self))\n" }
    let screen = await session.pipe([":history GET | tail -3", ":history /b|let/"]).screen
    #expect(screen == "<tail -3> GET /a\nGET /b\n\nGET /b\nlet x = 8\n", "\(screen)")
  }

  @Test func `a program gets all of it`() async throws {
    let history = History(path: nil)
    for number in 1...200 { try history.append("let x = \(number)") }
    var session = PromptSession()
    session.history = history
    session.program = { _, input in "\(input.count { $0 == UInt8(ascii: "\n") })\n" }
    #expect(await session.pipe([":history | wc -l", ":history let | wc -l"]).screen == "200\n200\n")
  }

  @Test func `what a command brings is after the command`() async throws {
    let history = History(path: nil)
    var session = PromptSession()
    session.history = history
    let screen = await session.pipe([":import curl https://a.test/x", ":history 2"]).screen
    #expect(screen.contains(":import curl https://a.test/x\nGET https://a.test/x\n  redirects none\n"), "\(screen)")
  }

  @Test func `the newest is what one sees, without a pager that opens at the oldest`() async throws {
    let history = History(path: nil)
    for number in 1...60 { try history.append("let x = \(number)") }
    var session = PromptSession()
    session.history = history
    session.page = { _ in }
    #expect(await session.pipe([":history"]).screen.hasSuffix("let x = 60\n"))
  }
}
