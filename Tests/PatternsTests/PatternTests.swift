import Testing

@testable import Patterns

struct PatternTests {
  @Test(arguments: [
    ("a+b", "xaab", "aab"), ("<UploadId>(.+?)</UploadId>", "<A/><UploadId>u-1</UploadId></UploadId>", "u-1"),
    ("name=\"csrf\" value=\"([^\"]+)\"", "<input name=\"csrf\" value=\"t/0\">", "t/0"),
    ("/home$", "http://a/home", "/home"),
    ("^b+$", "bbb", "bbb"), ("(\\d+)-(\\d+)", "id 12-34", "12"), ("a|ab|abc", "abc", "a"), ("(?:a|ab)c", "abc", "abc"),
    ("x{2,3}", "xxxx", "xxx"), ("x{2,3}?", "xxxx", "xx"), ("x{2}y", "xxxy", "xxy"), ("{a}", "{a}", "{a}"),
    ("[a-c]+", "xxcabx", "cab"), ("[^a-c]+", "abxyc", "xy"), ("[]x]+", "a]x]", "]x]"), ("[a\\-z]+", "-az", "-az"),
    ("[\\d.]+", "v1.20", "1.20"), ("[^\\s,]+", " ab,c", "ab"), ("[\\W]+", "ab--", "--"),
    ("(?i)straSSE", "Strasse", "Strasse"),
    ("\\bcat\\b", "concat cat", "cat"), ("\\Bcat", "concat cat", "cat"), ("(?<year>\\d{4})", "in 2026", "2026"),
    ("(?m)^b$", "a\nb\nc", "b"), ("é+", "caféé", "éé"), (".", "\n👍", "👍"), ("\\x41\\u0042\\u{43}", "xABC", "ABC"),
    ("(a*)*", "aaa", "aaa"), ("(a*)+b", "aab", "aa"), ("()x", "x", ""), ("a??b", "ab", "ab"), ("", "abc", ""),
    ("(a)|b", "b", "<none>"), ("\\.\\*\\(\\)", "x.*()", ".*()"), ("(?:)", "", ""), ("a.c", "a\nc abc", "abc"),
  ])
  func `the first group is taken, or else the match`(pattern: String, text: String, expected: String) throws {
    let pattern = try Pattern(pattern)
    let match = try #require(pattern.firstMatch(in: text))
    #expect((pattern.hasGroup ? match.group ?? "<none>" : match.whole) == expected)
    #expect(pattern.isFound(in: text))
  }

  @Test(arguments: [("^a$", "ba"), ("a{3}", "aa"), ("[^a]", "aaa"), ("\\d", "x"), ("\\bx", "ax"), ("a.b", "a\nb")])
  func `nothing is found that is not there`(pattern: String, text: String) throws {
    #expect(try Pattern(pattern).firstMatch(in: text) == nil)
  }

  @Test(arguments: [
    ("(", "there is a \"(\" without its \")\"; write \\( for itself"), (")", "there is a \")\" without its \"(\""),
    ("[a", "there is a \"[\" without its \"]\"; write \\[ for itself"),
    ("*a", "\"*\" has nothing before it to repeat; write \\*"),
    ("a**", "nothing can be repeated here; write \\* for itself"),
    ("a{3,1}", "{3,1} has its numbers in the wrong order"),
    ("a{5000}", "a piece can be repeated 1000 times at most"),
    ("(a)\\1", "\\1, which refers back to a group, is not supported"),
    ("(?=a)", "lookahead and lookbehind are not supported; match more and use a group"),
    ("(?<!a)b", "lookahead and lookbehind are not supported; match more and use a group"),
    ("\\", "there is a lone \\ at the end"),
    ("[z-a]", "z-a has its ends in the wrong order"), ("\\q", "\\q means nothing here"),
    ("\\u{110000}", "\"110000\" is not a character number"),
    ("((a{1000}){1000}){1000}", "it is too large"),
    (String(repeating: "(", count: 200), "groups are nested too deeply"),
  ])
  func `the mistake is reported`(pattern: String, sentence: String) {
    #expect(throws: PatternError(sentence: sentence)) { try Pattern(pattern) }
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["(a+)+$", "(a|a)*b", "(a|aa)+$", "(.*)*x", "a*a*a*a*a*a*b"])
  func `no pattern makes it hang`(pattern: String) throws {
    // A backtracking engine needs 2^100,000 steps for these.
    #expect(try Pattern(pattern).firstMatch(in: String(repeating: "a", count: 100_000) + "!") == nil)
  }

  @Test(.timeLimit(.minutes(1))) func `no endless repetition makes it hang`() throws {
    let pattern = try Pattern("(?:(?:(?:(?:){1000}){1000}){1000}){1000}x")
    #expect(pattern.firstMatch(in: "ax")?.whole == "x")
    #expect(Pattern(iRegexp: "((((){1000}){1000}){1000}){1000}x")?.matches("x") == true)
  }
}
