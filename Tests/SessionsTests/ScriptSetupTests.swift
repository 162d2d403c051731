import JSONValue
import RunStore
import Testing

@testable import Sessions

/// What a run of a script is made from, as it is stored.
@Suite struct ScriptSetupTests {
  @Test func `every member is read as it was written`() {
    var setup = ScriptSetup()
    #expect(ScriptSetup(setup.parameters) == setup)
    setup.file = "/work/a.wb"
    setup.directory = "/work"
    setup.sequence = "upload"
    setup.settings = ["title": "Glazier", "a": ""]
    setup.changedSettings = [:]
    setup.keepsGoing = true
    setup.isQueued = true
    setup.language = 7
    #expect(ScriptSetup(setup.parameters) == setup)
    setup.changedSettings = ["title": "Mason", "count": "2"]
    setup.changedValues = ["count": 2, "list": ["a", ["b": nil]]]
    #expect(ScriptSetup(setup.parameters) == setup)
  }

  @Test func `what is given to continue a run is a part of it from then on`() {
    func setup(_ change: (inout ScriptSetup) -> Void) -> RunSetup {
      var script = ScriptSetup()
      change(&script)
      return RunSetup(kind: "script", name: "a.wb", parameters: script.parameters)
    }
    var run = setup {
      $0.settings = ["path": "nope", "n": "1", "key": "x"]
      $0.values = ["n": 1]
      $0.changedSettings = ["path": "else", "other": "o"]
    }
    let new = setup {
      $0.settings = ["path": "me", "n": "2", "key": "\u{1}", "other": "now"]
    }
    let isChanged = run.take(settings: ["path", "n", "key", "unknown"], from: new)
    #expect(isChanged)
    #expect(run.script.settings == ["path": "me", "n": "2", "key": "\u{1}"] && run.script.values == nil)
    #expect(run.script.changedSettings == ["other": "o"])
    let isChangedAgain = run.take(settings: ["path"], from: new)
    #expect(!isChangedAgain)
  }

  @Test func `setups of earlier and later programs are read`() throws {
    let earlier = ScriptSetup(["directory": "/", "is-queued": true, "settings": ["a": "b"]])
    #expect(earlier.directory == "/" && earlier.isQueued && earlier.settings == ["a": "b"] && earlier.language == 1)
    let later = ScriptSetup(["language": 2, "suite": "smoke", "row": 12, "file": "/a.wb"])
    #expect(later.language == 2 && later.file == "/a.wb")
    #expect(ScriptSetup(.null).settings.isEmpty)
  }
}
