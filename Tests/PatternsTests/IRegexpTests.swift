import Testing

@testable import Patterns

@Suite struct IRegexpTests {
  @Test(arguments: [
    ("", "", true), ("", "a", false), ("abc", "abc", true), ("abc", "abcd", false), ("a|bc|", "bc", true),
    ("a|bc|", "", true), ("a|bc", "b", false), ("(ab)*c", "ababc", true), ("(ab)+", "", false), ("a?b", "b", true),
    ("a{2}", "aa", true), ("a{2}", "aaa", false), ("a{2,}", "aaaa", true), ("a{2,}", "a", false),
    ("a{1,3}b", "aaab", true), ("a{1,3}b", "aaaab", false), ("a{0}b", "b", true), (".", "é", true), (".", "\n", false),
    (".", "\r", false), (".", "\u{2028}", true), (".", "𝄞", true), ("[a-c]+", "abcb", true), ("[^a-c]", "d", true),
    ("[^a-c]", "b", false), ("[-a]", "-", true), ("[a-]", "-", true), ("[^-a]", "-", false), ("[.*]", "*", true),
    ("\\.", ".", true), ("\\.", "a", false), ("\\n\\t\\r", "\n\t\r", true), ("[\\]\\-]+", "]-", true),
    ("\\p{Lu}\\p{L}*", "Éa", true), ("\\P{L}", "1", true), ("\\P{L}", "a", false), ("[^\\p{Nd}x]", "x", false),
    ("[\\P{Nd}]", "5", false), ("^ab$", "ab", true), ("a^b", "ab", false), ("(a*)*", "aaa", true),
    ("(a|b)*abb", "babb", true),
    ("a-b,c", "a-b,c", true), ("\\^\\{", "^{", true),
  ])
  func `a text matches as a whole`(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try #require(Pattern(iRegexp: pattern)).matches(text) == isMatch)
  }

  @Test(arguments: [
    ("b", "abc", true), ("bd", "abc", false), ("", "abc", true), ("^b", "abc", false), ("^a", "abc", true),
    ("b$", "abc", false), ("c$", "abc", true), ("b+c", "abbbcd", true), ("x{3}", "xxaxxxb", true),
  ])
  func `a part of a text is found`(pattern: String, text: String, isFound: Bool) throws {
    #expect(try #require(Pattern(iRegexp: pattern)).isFound(in: text) == isFound)
  }

  @Test(arguments: [
    "(", ")", "a)", "[", "[]", "[^]", "]", "*", "+a", "a**", "{1}", "a{", "a{1", "a{2,1}", "a{,2}", "a}", "\\", "\\d",
    "\\w",
    "\\u0041", "\\p{Lx}", "\\p{Cs}", "\\pL", "[z-a]", "[a-\\p{L}]", "[[a]", "(?:a)", "a??", "[a-b-c]", "a{99999}",
    "((a{100}){100}){100}", String(repeating: "(", count: 100_000),
  ])
  func `anything that is not an I-Regexp, or is too large, is refused`(pattern: String) {
    #expect(Pattern(iRegexp: pattern) == nil)
  }

  @Test func `patterns that make others backtrack forever take no time`() throws {
    let text = String(repeating: "a", count: 2000)
    #expect(try !#require(Pattern(iRegexp: "(a*)*b")).matches(text))
    #expect(try !#require(Pattern(iRegexp: "(a|aa)+b")).isFound(in: text))
    #expect(try #require(Pattern(iRegexp: "(a?){100}a{100}")).matches(String(repeating: "a", count: 100)))
  }
}
