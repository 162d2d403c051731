extension Construct {
  static let statements: [Construct] = [
    Construct(
      "statement step", "first: GET {url}/1\nGET {url}/2/{$first.status}/{$1.status}", sends: "GET /1 ",
      "GET /2/200/200 ",
      wrong: "GET {url}/{$3.status}", says: "there is no $3 here"),
    Construct(
      "statement step, any method", "PROPFIND {url}/x\nM-SEARCH {url}/y", sends: "PROPFIND /x ", "M-SEARCH /y ",
      wrong: "get {url}/", says: "GET"),
    Construct(
      "statement let", "let a = 1 + 1\nGET {url}/{$a}", sends: "GET /2 ", wrong: "GET {url}/{$a}\nlet a = $b",
      says: "there is no $b"),
    Construct(
      "statement let, evaluated once, where it stands",
      "let a = uuid()\nGET {url}/{$a == $a}\none: GET {url}/\nlet b = $one.status\nGET {url}/{$b}",
      sends: "GET /true ", "GET /200 ", wrong: "let b = $one.status\none: GET {url}/", says: "$one"),
    Construct(
      "statement secret",
      "profile p { base {url} header X-Key: $k }\nsecret k = \"key-1234\" for p\nGET p:/", sends: "X-Key: key-1234",
      wrong: "secret k = \"key-1234\" for q\nGET {url}/", says: "there is no profile \"q\""),
    Construct(
      "statement sequence", "sequence s(a, b = \"x\") {\n  GET {url}/{$a}/{$b}\n}\nrun s(1)\nrun s(b: 2, a: 3)",
      sends: "GET /1/x ", "GET /3/2 ", wrong: "sequence s(a) { GET {url}/{$a} }\nrun s()",
      says: "needs a value for \"a\""),
    Construct(
      "statement run",
      "sequence s() {\n  one: GET {url}/inner\n  let id = $one.status\n}\nr: run s()\nGET {url}/{$r.id}",
      sends: "GET /inner ", "GET /200 ", wrong: "run t()", says: "there is no sequence \"t\""),
    Construct(
      "statement run, with when",
      "sequence s() { GET {url}/never }\nr: run s() when 1 == 2\nGET {url}/{$r.id ?? \"none\"}",
      sends: "GET /none ", never: "/never", wrong: "sequence s() { GET {url}/ }\nrun s() timeout 1s", says: "timeout"),
    Construct(
      "statement for",
      "for $i in [1, 2] {\n  put: PUT {url}/{$i}\n  let twice = $i * 2\n}\nPOST {url}/ json { s: $put[*].status, t: $twice }",
      sends: "PUT /1 ", "PUT /2 ", "{\"s\":[200,200],\"t\":[2,4]}", wrong: "for $i in 5 { GET {url}/{$i} }",
      says: "expected an array, found a number"),
    Construct(
      "statement for, parallel",
      "for $i in [1, 2, 3] parallel 2 {\n  put: PUT {url}/{$i}\n    when $i != 2\n}\nPOST {url}/ json [$put | count, $put[1]]",
      sends: "PUT /1 ", "PUT /3 ", "[3,null]", never: "PUT /2 ", wrong: "for $i in [1] parallel 0 { GET {url}/{$i} }",
      says: "parallel"),
    Construct(
      "statement parallel", "parallel {\n  a: GET {url}/a\n  b: GET {url}/b\n}\nGET {url}/{$a.status}/{$b.status}",
      sends: "GET /a ",
      "GET /b ", "GET /200/200 ", wrong: "parallel {\n  a: GET {url}/a\n  b: GET {url}/{$a.status}\n}", says: "$a"),
    Construct(
      "statement finally",
      "one: GET {url}/status/500 expect 500\ntwo: GET {url}/never when false\nfinally {\n  DELETE {url}/{$one.status}/{$two.status ?? \"none\"}\n}",
      sends: "DELETE /500/none ", never: "/never", wrong: "GET {url}/\nfinally { GET {url}/{$none} }", says: "$none"),
    Construct(
      "statement profile", "profile p { base {url}/v1 }\nGET p:/x\nGET /y", sends: "GET /v1/x ", "GET /v1/y ",
      wrong: "profile p { header A: b }", says: "profile \"p\""),
    Construct(
      "statement tags", "tags smoke, slow\nGET {url}/tagged", sends: "GET /tagged ",
      wrong: "GET {url}/a\ntags late", says: "tags stands before the first step"),
    Construct(
      "statement use", "use \"shared.wb\"\nrun shared(\"{url}\")", sends: "GET /shared/1 ", wrong: "use \"none.wb\"",
      says: "No such file or directory"),
  ]

  /// What a parameter may be declared as.
  static let types: [Construct] =
    [
      ("any", "[1]", "[1]", nil, ""), ("string", "\"x\"", "\"x\"", "1", "is a string"),
      ("int", "3", "3", "1.5", "is an int"),
      ("number", "1.5", "1.5", "\"x\"", "is a number"), ("bool", "true", "true", "0", "is a bool"),
      ("url", "\"http://a.test/\"", "\"http://a.test/\"", "\"/x\"", "is a url"),
      ("datetime", "\"2026-01-02T03:04:05Z\"", "\"2026-01-02T03:04:05Z\"", "\"today\"", "is a datetime"),
      ("object", "{ a: 1 }", "{\"a\":1}", "[1]", "is an object"), ("array", "[1]", "[1]", "{ a: 1 }", "is an array"),
      ("duration", "2s", "2000", "2", "is a duration"),
    ].map { type, value, json, wrong, says in
      Construct(
        "type \(type)", "sequence s(v: \(type)) { POST {url}/ json { v: $v } }\nrun s(\(value))",
        sends: "{\"v\":\(json)}",
        wrong: wrong.map { "sequence s(v: \(type)) { POST {url}/ json { v: $v } }\nlet given = \($0)\nrun s($given)" },
        says: says)
    } + [
      Construct(
        "type file", "sequence s(f: file = file(\"a.txt\")) { PUT {url}/ body $f }\nrun s()", sends: "hello file",
        wrong: "sequence s(f: file) { PUT {url}/ body $f }\nrun s(\"a.txt\")", says: "is a file")
    ]

  static let targets: [Construct] = [
    Construct(
      "target URL", "GET {url}/a%2Fb/?q=%2F+x", sends: "GET /a%2Fb/?q=%2F+x ", wrong: "GET example.com/x",
      says: "does not say how to reach it"),
    Construct(
      "target path", "profile p { base {url}/v1 }\nGET /x?y=1", sends: "GET /v1/x?y=1 ", wrong: "GET /x",
      says: "profile"),
    Construct(
      "target of a profile", "profile p { base {url}/v1 }\nprofile q { base {url}/v2 }\nGET q:/x", sends: "GET /v2/x ",
      wrong: "profile p { origin {url} }\nGET p:/x", says: "has no base"),
    Construct(
      "target reference", "one: GET {url}/\nGET $one.body.url", sends: "GET /from?a=%2F&b ",
      wrong: "one: GET {url}/\nGET $one.body.list", says: "found an array"),
    Construct(
      "target reference with a tail", "let base = \"{url}\"\nGET $base/items/{\"a b\"}?x={\"&\"}",
      sends: "GET /items/a%20b?x=%26 ",
      wrong: "GET $bas/items", says: "this step uses $bas"),
    Construct(
      "target relative URL of an answer", "one: GET {url}/deep/one\nGET $one.body.next", sends: "GET /page/2 ",
      wrong: "one: GET {url}/\nGET $one.body.s/{\"..\"}", says: ".."),
    Construct(
      "target expression", "GET (if 1 == 1 then \"{url}/yes\" else \"{url}/no\")", sends: "GET /yes ",
      wrong: "GET ([1])",
      says: "expected text, a number, or true or false, found an array"),
    Construct(
      "target string", "let a = 1\nGET \"{url}/{$a}/x\"", sends: "GET /1/x ", wrong: "let h = \"a\"\nGET http://{$h}/x",
      says: "a host cannot be assembled"),
    Construct(
      "target {…} in a path", "GET {url}/{\"a/b c?\"}", sends: "GET /a%2Fb%20c%3F ",
      wrong: "let d = \"..\"\nGET {url}/{$d}/x",
      says: "cannot be a part of a path"),
    Construct(
      "target {…} in a query", "GET {url}/?q={\"a&b=c+d\"}", sends: "GET /?q=a%26b%3Dc%2Bd ",
      wrong: "GET {url}/?q={[1]}",
      says: "found an array"),
    Construct(
      "target {+…}", "GET {url}/{+\"a/b\"}?{+\"x=1&y\"}", sends: "GET /a/b?x=1&y ",
      wrong: "let d = \"a/../b\"\nGET {url}/{+$d}",
      says: "cannot be a part of a path"),
  ]

  static let items: [Construct] = [
    Construct(
      "item =", "let v = \"V\"\nPOST {url}/ a=b c=$v d=\"x y\" e=",
      sends: "{\"a\":\"b\",\"c\":\"V\",\"d\":\"x y\",\"e\":\"\"}",
      wrong: "GET {url}/ a=b", says: "write a==…"),
    Construct(
      "item :=", "POST {url}/ a:=[1,true] b:=1.0", sends: "{\"a\":[1,true],\"b\":1.0}", wrong: "POST {url}/ a:=b",
      says: "a:="),
    Construct(
      "item ==", "GET {url}/?x=0 a==\"b c\" d==1", sends: "GET /?x=0&a=b%20c&d=1 ", wrong: "GET {url}/ a==[{ b: 1 }]",
      says: "an object"),
    Construct(
      "item :", "GET {url}/ X-A:b X-B:\"c d\"", sends: "X-A: b\r\n", "X-B: c d\r\n", wrong: "GET {url}/ X-A:\"a\\nb\"",
      says: "X-A"),
    Construct(
      "item @", "POST {url}/ note=x image@a.txt", sends: "name=\"note\"\r\n\r\nx\r\n",
      "name=\"image\"; filename=\"a.txt\"", "hello file",
      wrong: "POST {url}/ image@none.txt", says: "No such file or directory"),
    Construct(
      "item form", "POST {url}/ form a=\"b c\" d=e", sends: "\r\n\r\na=b+c&d=e", wrong: "POST {url}/ form a:={ b: 1 }",
      says: "an object"),
    Construct(
      "item multipart", "POST {url}/ multipart a=b", sends: "name=\"a\"\r\n\r\nb\r\n",
      wrong: "POST {url}/ multipart a=b json {}", says: "body"),
  ]
}
