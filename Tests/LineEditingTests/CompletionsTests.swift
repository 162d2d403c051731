import Testing

@testable import LineEditing

@Suite("Completion")
struct CompletionsTests {
  @Test(
    "Tab inserts what all candidates share, or else lists them",
    arguments: [
      ("x bo", ["body"], .replace("body.")),
      ("x bo", ["body.snapshot", "body.state"], .replace("body.s")),
      ("x body.s", ["body.snapshot", "body.state"], .list),
      ("x ", ["body", "headers"], .list),
      ("x BO", ["body", "bold"], .list),
      ("x gr", ["größe", "größer"], .replace("größe")),
      ("x e", ["e\u{301}a", "e\u{301}b"], .list),
      ("x bo", [], .nothing),
      ("x body.", ["body"], .nothing),
    ] as [(String, [String], Completions.Outcome)])
  func outcome(line: String, candidates: [String], expected: Completions.Outcome) {
    let start = line.index(line.startIndex, offsetBy: 2)
    let completions = Completions(
      replacing: start..<line.endIndex, candidates: candidates.map { .init($0, terminator: ".") })
    #expect(completions.outcome(in: line) == expected)
  }

  @Test("candidates are listed in columns, top to bottom")
  func columns() {
    let names = ["GET", "HEAD", "OPTIONS", "PATCH", "POST"].map { Completions.Candidate($0) }
    #expect(CandidateList(names, columns: 30, rows: 24).lines == ["GET      OPTIONS  POST", "HEAD     PATCH"])
    #expect(CandidateList(names, columns: 8, rows: 24).lines.count == 5)
  }

  @Test("wide characters count twice")
  func wideCharacters() {
    withUTF8Locale {
      let names = ["日本語", "a"].map { Completions.Candidate($0, preview: "p") }
      #expect(CandidateList(names, columns: 30, rows: 24).lines == ["日本語  p", "a       p"])
    }
  }

  @Test("previews are cut at the screen's edge, and are shown without control characters")
  func previews() {
    let names = [
      Completions.Candidate("uid", preview: "\"s-1\""), Completions.Candidate("url", preview: "a\u{1B}[2Jb\u{202E}c"),
      Completions.Candidate("long", preview: String(repeating: "x", count: 100)),
    ]
    #expect(
      CandidateList(names, columns: 20, rows: 24).lines == [
        "uid   \"s-1\"", "url   a\u{FFFD}[2Jb\u{FFFD}c", "long  xxxxxxxxxxxx…",
      ])
  }

  @Test("a list longer than the screen says what is missing", arguments: ["", "p"])
  func longList(preview: String) {
    let names = (1...5000).map { Completions.Candidate("candidate\($0)", preview: preview) }
    let lines = CandidateList(names, columns: 80, rows: 24).lines
    #expect(lines.count == 22)
    #expect(lines.last == (preview.isEmpty ? "… more of 5000" : "… 4979 more") + ": type another letter, then Tab")
  }
}
