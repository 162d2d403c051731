import Testing

/// What a program that uses the library can say, and what it cannot.
@Suite(.timeLimit(.minutes(5))) struct CompilerTests {
  private static let head = """
    import JSONValue
    import Requests
    let json: JSON = ["title": "Roofer"]

    """

  @Test(arguments: [
    #"let request: Request<JSON> = .json(.get(["page": "2"]), "/jobs")"#,
    #"let request: Request<JSON> = .json(.post(["title": "Roofer", "tags": [1, nil]]), "/jobs")"#,
    #"let request: Request<JSON> = .json(.patch(.json(json)), "/jobs/\(7)")"#,
  ])
  func `a payload that fits its method compiles`(expression: String) async throws {
    #expect(try await Compiler.errors(in: Self.head + expression) == [])
  }

  @Test(arguments: [
    (#"let request: Request<JSON> = .json(.get(.json(json)), "/jobs")"#, "type 'Query' has no member 'json'"),
    (
      #"let request: Request<JSON> = .json(.get(json), "/jobs")"#,
      "cannot convert value of type 'JSON' to expected argument type 'Query'"
    ),
    (
      #"let request: Request<JSON> = .json(.delete(["id": 1]), "/jobs")"#,
      "cannot convert value of type 'Int' to expected dictionary value type 'String?'"
    ),
    (#"let request: Request<Void> = .empty(.patch, "/jobs")"#, "member 'patch' expects argument of type 'Payload'"),
    (#"let method = RequestMethod(.get, payload: .json(json))"#, "initializer is inaccessible"),
    (
      #"let id: Int? = 7; let request: Request<JSON> = .json(.get, "/jobs/\(id)")"#,
      "value of optional type 'Int?' must be unwrapped"
    ),
  ])
  func `a payload that does not fit is a compiler error`(expression: String, message: String) async throws {
    let errors = try await Compiler.errors(in: Self.head + expression)
    #expect(errors.contains { $0.contains(message) }, "\(errors)")
  }

  @Test func `the code in the library's documentation compiles`() async throws {
    let program = try Compiler.program(inDocumentation: "library.md")
    #expect(program.contains("api.send(.allJobs)"))
    #expect(try await Compiler.errors(in: program) == [])
  }

  private static let modules = ["JSONValue", "Requests", "UploaderCore", "LibcurlTransport"]

  @Test(arguments: modules)
  func `the library's interface uses nothing but HTTPTypes and the standard library`(module: String) async throws {
    var allowed = Set(Self.modules + ["HTTPTypes"])
    // Bytes from and to `Data`.
    if module == "JSONValue" { allowed.insert("FoundationEssentials") }
    let interface = try await Compiler.publicInterface(of: module)
    #expect(interface.symbols.isEmpty == false)
    #expect(interface.foreign(except: allowed) == [])
  }

  @Test(arguments: modules)
  func `every public declaration of the library is documented`(module: String) async throws {
    #expect(try await Compiler.publicInterface(of: module).undocumented == [])
  }

  @Test func `anything undocumented, or from another module, is found where it is`() async throws {
    let example = try await Compiler.publicInterface(of: "GitHub")
    #expect(example.undocumented.contains("User.id: let id: Int"))
    #expect(example.foreign(except: ["GitHub"]).contains { $0.hasPrefix("Request.zen refers to Request, s:8Requests") })
  }
}
