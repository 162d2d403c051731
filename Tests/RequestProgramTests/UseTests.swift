import Diagnostics
import RequestProgram
import RequestSyntax
import Requests
import Testing

struct UseTests {
  private static func program(_ files: [String: String]) -> Program {
    Program(readFile: { path throws(FileError) in
      guard let text = files[path] else { throw .unreadable(path: path, reason: SystemError(number: 2)) }
      return Array(text.utf8)
    })
  }

  private static func add(_ text: String, _ files: [String: String], directory: String = "") -> (Program, String) {
    var program = program(files)
    let name = directory.isEmpty ? "main.wb" : "\(directory)/main.wb"
    let found = program.add(Parser.parse(SourceText(name: name, text: text)), directory: directory)
    return (program, found.map { DiagnosticRenderer().render($0) }.joined())
  }

  @Test func `a used file's declarations are known, its steps do not run, and its paths are relative to it`() throws {
    let (program, found) = Self.add(
      "GET api:/first/{$version}\nrun last()\nuse \"lib/all.wb\"",
      [
        "scripts/lib/all.wb":
          "use \"./profiles.wb\"\nuse \"../lib/profiles.wb\"\nGET http://never.test/\nsequence last() { GET api:/last }",
        "scripts/lib/profiles.wb": "let version = 2\nprofile api { base http://a.test/v{$version} }",
      ], directory: "scripts")
    #expect(found == "")
    #expect(program.sequenceNames == ["last"])
    #expect(program.usedSources.map(\.name) == ["scripts/lib/all.wb", "scripts/lib/profiles.wb"])
    let sequence = try ProgramRequestSequence(program, environment: .make(), at: .fixed)
    #expect(sequence.profiles?["api"]?.base?.description == "http://a.test/v2")
    let outcome = ScriptHarness().run(sequence)
    #expect(outcome.requests.map(\.url) == ["api:/first/2", "api:/last"])
  }

  @Test(arguments: [
    ("use \"none.wb\"", "cannot read \"none.wb\": No such file or directory"),
    ("let f = \"a.wb\"\nuse \"{$f}\"", "use takes a literal path"),
    ("use \"a.wb\"", "a.wb uses itself"),
    ("use \"one.wb\"", "one.wb uses itself"),
    ("use \"main.wb\"", "main.wb uses itself"),
    ("use \"broken.wb\"", "--> broken.wb:1:4"),
    ("use \"wrong.wb\"", "there is no $nothing"),
    ("use \"s.wb\"\nsequence s() { GET http://a.test/ }", "there is already a sequence \"s\""),
    ("sequence s() {\n  use \"s.wb\"\n}", "use cannot be inside a block"),
    ("use \"commands.wb\"", "a script never runs a program"),
  ])
  func `a file that cannot be used is reported in its place`(script: String, message: String) {
    let (_, found) = Self.add(
      script,
      [
        "a.wb": "use \"a.wb\"", "one.wb": "use \"two.wb\"", "two.wb": "use \"./one.wb\"", "main.wb": "let a = 1",
        "broken.wb": "GET", "wrong.wb": "let a = $nothing", "s.wb": "sequence s() { GET http://a.test/ }",
        "commands.wb": "profile p { base http://a.test }\nsecret s = command(\"x\") for p",
      ])
    #expect(found.contains(message), "\(found)")
  }
}
