import Testing

/// What a program on the library can say, and what it can not.
@Suite(.timeLimit(.minutes(1))) struct CompilerTests {
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
  func `one that does not fit is an error of the compiler`(expression: String, message: String) async throws {
    let errors = try await Compiler.errors(in: Self.head + expression)
    #expect(errors.contains { $0.contains(message) }, "\(errors)")
  }

  @Test func `the documentation of the library is a program that compiles`() async throws {
    let program = try Compiler.program(inDocumentation: "library.md")
    #expect(program.contains("api.send(.allJobs)"))
    #expect(try await Compiler.errors(in: program) == [])
  }

  /// With internal imports by default, this is the only way in which a type of another module could be part of it.
  @Test func `nothing but HTTPTypes and Swift's own Foundation is part of the library's interface`() throws {
    let own: Set = ["JSONValue", "Requests", "UploaderCore"]
    let imports = try Compiler.publicImports()
    #expect(imports.count > 20)
    for (file, module) in imports where !own.contains(module) {
      let isAllowed = module == "HTTPTypes" || (file.hasPrefix("JSONValue/") && module.hasPrefix("Foundation"))
      #expect(isAllowed, "\(file) makes \(module) part of the interface")
    }
  }
}
