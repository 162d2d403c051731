extension Construct {
  /// Members of an exchange, of files, and paths through JSON.
  static let paths: [Construct] = [
    value("member status", "$one.status", "200", wrong: "$one.statu", says: "did you mean \"status\"?"),
    value(
      "member headers", "[$one.headers.etag, $one.headers[\"X-m\"], $one.headers.set-cookie]",
      "[\"\\\"e\\\"\",\"1, 2\",[\"sid=1; Path=/\",\"b=2\"]]", wrong: "$one.headers.etga", says: "did you mean \"etag\"?"
    ),
    value("member body", "$one.body.s", "\"text\"", wrong: "$one.body.t", says: "$one.body has no \"t\""),
    Construct(
      "member body, text or bytes",
      "one: GET {url}/text\ntwo: GET {url}/binary\nPOST {url}/ json [$one.body, $two.body | sha256 | slice(0, 8)]",
      sends: "[\"<UploadId>u-1</UploadId>\",\"a12871fe\"]", wrong: "one: HEAD {url}/\nGET {url}/{$one.body.a}",
      says: "has no \"body\""),
    value("member text", "$one.text starts-with \"{\\\"a\\\"\"", "true", wrong: "$one.text.a", says: "has no \"a\""),
    value(
      "member bytes", "$one.bytes | parse-json == $one.body", "true", wrong: "$one.bytes[\"a\"]", says: "has no \"a\""),
    value(
      "member location", "$one.location", "\"{url}/made\"", wrong: "$one.locaton", says: "did you mean \"location\"?"),
    value(
      "member links", "$one.links.next ?? \"none\"", "\"none\"", wrong: "$one.link.next",
      says: "did you mean \"links\"?"),
    value(
      "member redirects", "$one.redirects | count", "0", wrong: "$one.redirect", says: "did you mean \"redirects\"?"),
    value(
      "member header-lines", "$one.header-lines.etag[0] == $one.headers.etag", "true", wrong: "$one.header-line.etag",
      says: "did you mean \"header-lines\"?"),
    value(
      "member set-cookie", "$one.set-cookie.sid.value", "\"1\"", wrong: "$one.set-cookies.sid",
      says: "did you mean \"set-cookie\"?"),
    value(
      "member protocol", "$one.protocol starts-with \"HTTP/1\"", "true", wrong: "$one.protocl",
      says: "did you mean \"protocol\"?"),
    value(
      "member address", "$one.address starts-with \"127.0.0.1\"", "true", wrong: "$one.adress",
      says: "did you mean \"address\"?"),
    value("member url", "$one.url", "\"{url}/\"", wrong: "$one.url.a", says: "has no \"a\""),
    value("member size", "$one.size > 100", "true", wrong: "$one.size.a", says: "has no \"a\""),
    value("member cookies", "$one.cookies.sid", "\"1\"", wrong: "$one.cookies.sdi", says: "did you mean \"sid\"?"),
    value(
      "member request", "[$one.request.method, $one.request.url, $one.request.headers.host]",
      "[\"GET\",\"{url}/\",\"127.0.0.1:{port}\"]", wrong: "$one.request.body", says: "has no \"body\""),
    value(
      "member time", "$one.time.total >= $one.time.first-byte and $one.time.dns >= 0s", "true", wrong: "$one.time.all",
      says: "has no \"all\""),
    Construct(
      "member rounds",
      "one: GET {url}/pending repeat until body.state == \"ready\"\nPOST {url}/ json $one.rounds[-1].body.state",
      sends: "\r\n\r\n\"ready\"", wrong: "one: GET {url}/ repeat until true\nPOST {url}/ json $one.rounds[3].status",
      says: "has no element [3]"),

    value("file size", "file(\"a.txt\").size", "10", wrong: "file(\"a.txt\").siez", says: "did you mean \"size\"?"),
    value(
      "file sha256", "file(\"a.txt\").sha256", "\"f3877e8a3d98f809d9f844060fbea2864a4b66980a22ff22297014d0c168db2e\"",
      wrong: "file(\"none\").sha256", says: "No such file"),
    value(
      "file md5", "file(\"a.txt\").md5 | base64", "\"zwvlB35+0lqUTDU9d98PEA==\"",
      wrong: "file(\"a.txt\").md5 | upper | base64-decode",
      says: "expected a JSON value, found bytes that are not text"),
    value("file type", "file(\"a.txt\").type", "\"text/plain\"", wrong: "file(\"a.txt\").type.a", says: "has no \"a\""),
    value("file name", "file(\"a.txt\").name", "\"a.txt\"", wrong: "file(\"a.txt\").name.a", says: "has no \"a\""),
    value(
      "file text", "file(\"a.txt\").text", "\"hello file\"", wrong: "file(\".\").text", says: "is not a regular file"),
    value(
      "file bytes", "file(\"a.txt\").bytes | base64", "\"aGVsbG8gZmlsZQ==\"", wrong: "file(\"a.txt\").bytes.a",
      says: "has no \"a\""),
    value("file json", "file(\"a.json\").json.k", "[1]", wrong: "file(\"a.txt\").json", says: "this is not valid JSON"),
    value(
      "chunk number", "(file(\"a.txt\") | chunks(4))[*] | count", "3", wrong: "file(\"a.txt\") | chunks(0)",
      says: "chunks"),
    Construct(
      "chunk offset",
      "for $c in file(\"a.txt\") | chunks(4) {\n  PUT {url}/{$c.number}/{$c.offset}/{$c.size}/{$c.sha256 | slice(0, 4)} body $c\n}",
      sends: "PUT /1/0/4/", "\r\n\r\nhell", "PUT /3/8/2/", "\r\n\r\nle",
      wrong: "for $c in file(\"a.txt\") | chunks(4) { GET {url}/{$c.nmber} }", says: "did you mean \"number\"?"),

    value("path name", "$one.body.a.b", "[1,2,3]", wrong: "$one.body.a.c", says: "$one.body.a has no \"c\""),
    value(
      "path index", "[$one.body.a.b[0], $one.body.a.b[-1]]", "[1,3]", wrong: "$one.body.a.b[3]",
      says: "$one.body.a.b has no element [3]"),
    value("path bracket", "$one.body[\"a\"]['b'][1]", "2", wrong: "$one.body[\"c\"]", says: "has no \"c\""),
    value("path wildcard", "$one.body.list[*].id", "[1,2]", wrong: "$one.body.list.id", says: "has no \"id\""),
    value(
      "path slice", "$one.body.a.b[1:]", "[2,3]", wrong: "$one.body.a.b[1:].c | first",
      says: "an empty array has no first element"),
    value(
      "path descendant", "$one.body..id", "[1,2]", wrong: "$one.body..none | first",
      says: "an empty array has no first element"),
    value(
      "path filter", "$one.body.list[?@.k == \"x\"].id", "[1]", wrong: "$one.body.list[?@.k = \"x\"]",
      says: "the filter is not valid"),
    Construct(
      "path filter with a name",
      "one: GET {url}/\nlet k = { id: 2 }\nPOST {url}/ json $one.body.list[?@.id == $k.id || @.k == \"none\"]",
      sends: "\r\n\r\n[{\"id\":2}]", wrong: "one: GET {url}/\nlet k = 2\nPOST {url}/ json $one.body.list[?@.id = $k]",
      says: "the filter is not valid"),
    Construct(
      "path reference as index", "one: GET {url}/\nlet i = 1\nlet k = \"list\"\nGET {url}/{$one.body[$k][$i].id}",
      sends: "GET /2 ", wrong: "one: GET {url}/\nlet i = true\nGET {url}/{$one.body[$i]}",
      says: "expected an index or a key"),
    value("path of several", "$one.body.a.b[0, 2]", "[1,3]", wrong: "$one.body.a.b[0, 2", says: "expected"),
    value("environment", "$env.NAME", "\"value\"", wrong: "$env.NOPE", says: "the environment has no \"NOPE\""),
  ]

  static let expressions: [Construct] =
    [
      value("operator or", "false or true", "true", wrong: "1 or true", says: "expected true or false"),
      value("operator and", "true and false", "false", wrong: "true and \"x\"", says: "expected true or false"),
      value("operator not", "not 1 == 2", "true", wrong: "not 1", says: "expected true or false"),
      value(
        "operator ==", "1 == 1.0 and \"1\" != 1", "true", wrong: "1 == 1 == 1", says: "only one comparison at a time"),
      value("operator !=", "[1] != [2]", "true", wrong: "1 !== 2", says: "!="),
      value("operator <", "2 < 10 and \"a\" < \"b\"", "true", wrong: "1 < \"a\"", says: "cannot be ordered"),
      value("operator <=", "2s <= 2000ms", "true", wrong: "2s <= 2", says: "cannot be ordered"),
      value("operator >", "1e2 > 99", "true", wrong: "true > false", says: "cannot be ordered"),
      value("operator >=", "now() >= now()", "true", wrong: "null >= 1", says: "cannot be ordered"),
      value(
        "operator contains", "\"abc\" contains \"b\" and [1, 2] contains 2 and { a: 1 } contains \"a\"", "true",
        wrong: "$one.body.half contains 1", says: "expected text, an array or an object, found a number"),
      value(
        "operator starts-with", "\"abc\" starts-with \"ab\"", "true", wrong: "[1] starts-with 1", says: "found an array"
      ),
      value("operator ends-with", "\"abc\" ends-with \"bc\"", "true", wrong: "[1] ends-with 1", says: "found an array"),
      value(
        "operator matches", "\"abc\" matches '^a.c$'", "true", wrong: "\"a\" matches \"(\"",
        says: "the regular expression is not valid"),
      value(
        "operator in", "2 in [1, 2]", "true", wrong: "2 in 3",
        says: "expected text, an array or an object, found a number"),
      value("operator +", "1 + 2 + 0.5", "3.5", wrong: "1 + \"a\"", says: "+ adds numbers"),
      value("operator -", "1 - 2 - -3", "2", wrong: "3 - [1]", says: "expected a number"),
      value("operator *", "2 * 3s == 6s", "true", wrong: "2 * \"a\"", says: "expected a number"),
      value("operator /", "7 / 2", "3.5", wrong: "1 / 0", says: "division by zero"),
      value("operator is", "$one.body.list is [{ id: int, k?: string }]", "true", wrong: "1 is integer", says: "int"),
      value(
        "operator ??", "[$one.body.none ?? 1, $one.body.n ?? 2, \"x\" | regex('y') ?? 3]", "[1,2,3]",
        wrong: "$one.body.none ?? $one.body.nothing", says: "has no \"nothing\""),
      value(
        "operator if", "if 1 < 2 then \"y\" else \"n\"", "\"y\"", wrong: "if 1 then 2 else 3",
        says: "expected true or false"),
      value("operator |", "\" a \" | trim | upper", "\"A\"", wrong: "\"a\" | uper", says: "did you mean upper?"),
      value("operator parentheses", "(1 + 2) * 3", "9", wrong: "(1 + 2", says: "expected"),
      value(
        "value object", "{ a: 1, \"b {$env.NAME}\": [], ...{ c: null } }", "{\"a\":1,\"b value\":[],\"c\":null}",
        wrong: "{ a 1 }", says: "expected"),
      value(
        "value array", "[1, ...[2, 3], [4]]", "[1,2,3,[4]]", wrong: "[...1]", says: "expected an array, found a number"),
      value(
        "value number", "[1.0, 9007199254740993, -1e-2]", "[1.0,9007199254740993,-1e-2]", wrong: "[01]",
        says: "numbers have no leading zeros"),
      value("value literal", "[true, false, null]", "[true,false,null]", wrong: "[True]", says: "True"),
      value(
        "string quoted", "\"a\\n\\\"{$env.NAME}\\\" \\{x} \\u00e9\"", "\"a\\n\\\"value\\\" {x} é\"", wrong: "\"a\\q\"",
        says: "\\q"),
      value("string raw", "'a\\n{$b}\"'", "\"a\\\\n{$b}\\\"\"", wrong: "'a", says: "'"),
      Construct(
        "string block", "POST {url}/ json \"\"\"\n    one\n      {1 + 1}\n      {$env.NAME}\n    \"\"\"",
        sends: "\r\n\r\n\"one\\n  {1 + 1}\\n  value\"", wrong: "POST {url}/ json \"\"\"\n  a\n", says: "\"\"\""),
    ]
    + [
      ("ms", "1500ms == 1.5s"), ("s", "60s == 1m"), ("m", "60m == 1h"), ("h", "1h > 59m"), ("B", "1024B == 1KiB"),
      ("KB", "1KB == 1000"),
      ("MB", "1MB == 1000KB"), ("GB", "1GB == 1000MB"), ("TB", "1TB == 1000GB"), ("KiB", "1KiB == 1024"),
      ("MiB", "1MiB == 1024KiB"),
      ("GiB", "1GiB == 1024MiB"), ("TiB", "1TiB == 1024GiB"),
    ].map { unit, expression in
      value("unit \(unit)", expression, "true", wrong: "1\(unit)x == 1", says: "1\(unit)x")
    }

  static let functions: [Construct] = [
    value(
      "function count", "[[1, 2] | count, \"né\" | count, { a: 1 } | count]", "[2,2,1]", wrong: "1 | count",
      says: "count takes"),
    value(
      "function first", "$one.body.list[*].id | first", "1", wrong: "[] | first",
      says: "an empty array has no first element"),
    value("function last", "[1, 2] | last", "2", wrong: "[] | last", says: "an empty array has no last element"),
    value(
      "function sum", "[[1, 2] | sum, [0.1, 0.2] | sum, [] | sum, [1e300, 1] | sum]", "[3,0.3,0,1e300]",
      wrong: "[1, \"2\"] | sum", says: "numbers"),
    value(
      "function sort", "[[10, 9, 1] | sort, [\"b\", \"a\"] | sort]", "[[1,9,10],[\"a\",\"b\"]]",
      wrong: "[1, \"a\"] | sort", says: "order"),
    value(
      "function unique", "[1, 1.0, \"1\", 2, 1] | unique", "[1,\"1\",2]", wrong: "1 | unique",
      says: "unique takes an array"),
    value(
      "function join", "[[1, \"b\"] | join(\", \"), [1, 2] | join]", "[\"1, b\",\"12\"]", wrong: "[[1]] | join(\",\")",
      says: "found an array"),
    value(
      "function unwrap", "[[7] | unwrap, $one.body.list[*].id | unwrap]", "[7,[1,2]]", wrong: "[] | unwrap",
      says: "an empty array has no element"),
    value(
      "function split", "\"a,,b\" | split(\",\")", "[\"a\",\"\",\"b\"]", wrong: "\"a\" | split",
      says: "split takes 1 argument"),
    value(
      "function replace", "\"aXbX\" | replace(\"X\", \"-\")", "\"a-b-\"", wrong: "\"a\" | replace(\"b\")",
      says: "replace takes 2 arguments"),
    value(
      "function replace-regex", "\"a1b22\" | replace-regex('\\d+', \"-\")", "\"a-b-\"",
      wrong: "\"a\" | replace-regex('a')", says: "replace-regex takes 2 arguments"),
    value(
      "function regex", "[\"id=42;\" | regex('id=(\\d+)'), \"abc\" | regex('b.')]", "[\"42\",\"bc\"]",
      wrong: "\"a\" | regex('b')", says: "the regular expression matches nothing"),
    value("function upper", "\"aé\" | upper", "\"AÉ\"", wrong: "[] | upper", says: "upper takes text"),
    value("function lower", "\"AÉ\" | lower", "\"aé\"", wrong: "\"a\" | lower(1)", says: "lower takes no arguments"),
    value(
      "function html-escape", "\"a<b&'c'\" | html-escape", "\"a&lt;b&amp;&#x27;c&#x27;\"", wrong: "[] | html-escape",
      says: "html-escape takes"),
    value(
      "function html-unescape", "\"&lt;&#xE9;&amp;amp; &nope;\" | html-unescape", "\"<é&amp; &nope;\"",
      wrong: "{} | html-unescape", says: "html-unescape takes"),
    value(
      "function xpath",
      "[\"<a><b>1</b><b>2</b></a>\" | xpath(\"//b\"), \"<html><p>x<p>y\" | xpath(\"count(//p)\")]",
      "[[\"1\",\"2\"],2]", wrong: "\"<a\" | xpath(\"//b\")", says: "the document cannot be read"),
    value("function trim", "\"\\t a b \\n\" | trim", "\"a b\"", wrong: "trim(\" a\")", says: "trim"),
    value(
      "function base64", "[\"hi?\" | base64, \"a\" | sha256 | base64]",
      "[\"aGk/\",\"ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=\"]", wrong: "[1] | base64", says: "base64 takes"),
    value(
      "function base64-decode", "[\"aGk/\" | base64-decode, \"aGk_\" | base64-decode]", "[\"hi?\",\"hi?\"]",
      wrong: "\"!\" | base64-decode", says: "this is not valid base64"),
    value(
      "function base64-url", "\"<<???>>\" | base64-url", "\"PDw_Pz8-Pg\"", wrong: "[1] | base64-url",
      says: "base64-url takes"),
    value(
      "function hex", "[\"aé\" | hex, file(\"a.txt\") | slice(0, 4) | hex]", "[\"61c3a9\",\"68656c6c\"]",
      wrong: "[] | hex", says: "hex takes"),
    value(
      "function query-param",
      "[\"https://a.test/?y=a+b#z\" | query-param(\"y\"), $one.body.url | query-param(\"a\")]", "[\"a b\",\"/\"]",
      wrong: "$one.body.url | query-param(\"c\")", says: "the query of the URL has no such parameter"),
    value(
      "function to-text", "\"4Q==\" | base64-decode | to-text(\"iso-8859-1\")", "\"á\"",
      wrong: "\"/w==\" | base64-decode | to-text", says: "this is not utf-8: byte 0 is not part of it"),
    value(
      "function url-encode", "\"a b/ü&\" | url-encode", "\"a%20b%2F%C3%BC%26\"", wrong: "{} | url-encode",
      says: "url-encode takes"),
    value(
      "function url-decode", "\"a%20b%2F%C3%BC+c\" | url-decode", "\"a b/ü+c\"", wrong: "\"%ff\" | url-decode",
      says: "not valid"),
    value(
      "function sha256", "\"a\" | sha256", "\"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb\"",
      wrong: "{} | sha256", says: "sha256 takes"),
    value("function md5", "\"a\" | md5", "\"0cc175b9c0f1b6a831c399e269772661\"", wrong: "[] | md5", says: "md5 takes"),
    value(
      "function hmac-sha256", "\"what do ya want for nothing?\" | hmac-sha256(\"Jefe\")",
      "\"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843\"", wrong: "\"a\" | hmac-sha256",
      says: "hmac-sha256 takes 1 argument"),
    value(
      "function json", "{ b: 1.0, a: [\"x\"] } | json", "\"{\\\"b\\\":1.0,\\\"a\\\":[\\\"x\\\"]}\"",
      wrong: "file(\"a.txt\") | json", says: "json takes a JSON value"),
    value(
      "function parse-json", "\"[1.0]\" | parse-json", "[1.0]", wrong: "\"{\" | parse-json",
      says: "this is not valid JSON"),
    value(
      "function parse-csv", "file(\"data.csv\") | parse-csv", "[{\"a\":\"1\",\"b\":\"x, y\"},{\"a\":\"2\",\"b\":\"\"}]",
      wrong: "[] | parse-csv", says: "parse-csv takes"),
    value(
      "function without", "{ a: 1, b: 2, c: 3 } | without(\"a\", \"c\", \"d\")", "{\"b\":2}",
      wrong: "[] | without(\"a\")", says: "without takes an object"),
    value(
      "function date", "[now() | date, now() | date(\"%d.%m.%Y\")]", "[\"2026-01-02T03:00:00Z\",\"02.01.2026\"]",
      wrong: "now() | date(\"%Q\")", says: "%Q is not one of them"),
    value(
      "function to-time", "\"31.01.2026\" | to-time(\"%d.%m.%Y\") | date", "\"2026-01-31T00:00:00Z\"",
      wrong: "\"x\" | to-time", says: "this is not a time in RFC 3339"),
    value(
      "function to-int", "[\"1.9\" | to-int, -7.5 | to-int]", "[1,-7]", wrong: "\"x\" | to-int",
      says: "\"x\" is not a number"),
    value(
      "function to-number", "\" 1.50 \" | to-number", "1.50", wrong: "\"x\" | to-number", says: "\"x\" is not a number"),
    value(
      "function to-string", "[1.0 | to-string, true | to-string]", "[\"1.0\",\"true\"]", wrong: "[] | to-string",
      says: "to-string takes"),
    value(
      "function slice", "[\"abcdef\" | slice(1, 3), [1, 2, 3] | slice(1), file(\"a.txt\") | slice(6, 4) | sha256]",
      "[\"bcd\",[2,3],\"3b9c358f36f0a31b6ad3e14f309c7cf198ac9246e8316f9ce543d5b19ac02b80\"]",
      wrong: "\"a\" | slice(\"b\")", says: "expected a whole number"),
    value(
      "function chunks", "file(\"a.txt\") | chunks(4) | count", "3", wrong: "\"a\" | chunks(4)",
      says: "chunks takes a file"),
    value(
      "function uuid",
      "uuid() matches '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' and uuid() != uuid()",
      "true", wrong: "uuid(1)", says: "uuid takes no arguments"),
    value("function now", "now() == now()", "true", wrong: "now", says: "now"),
    value(
      "function random", "[random(5, 5), random(-3, 3) in [-3, -2, -1, 0, 1, 2, 3]]", "[5,true]", wrong: "random(2, 1)",
      says: "the smaller number first"),
    value(
      "function range", "[range(1, 3), range(3, 1)]", "[[1,2,3],[]]", wrong: "range(1)",
      says: "range takes 2 arguments"),
    value(
      "function file", "file(\"a.txt\").size", "10", wrong: "file(\"none.txt\").size", says: "No such file or directory"
    ),
    Construct(
      "function presign",
      "profile p { base {url} auth sigv4 { key: \"AKIA1\", secret: $env.WORD, region: \"eu-west-1\", service: \"s3\" } }\n"
        + "GET (presign(\"GET\", \"/k?a=1\", 15m, profile: \"p\")) auth none",
      sends:
        "GET /k?a=1&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA1%2F20260102%2Feu-west-1%2Fs3%2Faws4_request",
      "X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=", never: "authorization",
      wrong: "let u = presign(\"GET\", \"/k\", 15m)\nGET $u", says: "no profile has auth sigv4 { … }"),
    Construct(
      "function ask", "profile p { base {url} }\nsecret s = ask(\"code\") for p\nGET p:/ X-S:$s",
      sends: "X-S: \(ConstructSecret.asked)-code", wrong: "profile p { base {url} }\nsecret s = ask() for p",
      says: "ask takes 1 argument"),
    Construct(
      "function command", "profile p { base {url} }\nsecret s = command(\"pass show x\") for p\nGET p:/ X-S:$s",
      sends: "X-S: \(ConstructSecret.command)-pass show x",
      wrong: "profile p { base {url} }\nsecret s = command() for p",
      says: "command takes 1 argument"),
  ]

  static let shapes: [Construct] = [
    expectation(
      "shape any", "body.n is any", wrong: "body.none is any", says: "body.none should be any, and is missing"),
    expectation(
      "shape null", "body.n is null", wrong: "body.s is null", says: "body.s should be null, and is \"text\""),
    expectation("shape bool", "body.yes is bool", wrong: "body.s is bool", says: "body.s should be bool"),
    expectation(
      "shape int", "body.list[0].id is int", wrong: "body.half is int", says: "body.half should be int, and is 1.5"),
    expectation(
      "shape float", "body.half is float", wrong: "body.list[0].id is float",
      says: "body.list[0].id should be float, and is 1"),
    expectation("shape number", "body.half is number", wrong: "body.s is number", says: "body.s should be number"),
    expectation(
      "shape string", "body.s is string", wrong: "body.n is string", says: "body.n should be string, and is null"),
    expectation("shape url", "body.url is url", wrong: "body.s is url", says: "body.s should be url"),
    expectation(
      "shape datetime", "body.at is datetime", wrong: "body.s is datetime", says: "body.s should be datetime"),
    expectation(
      "shape literal", "body.s is \"text\" | \"other\"", wrong: "body.s is \"other\" | 1 | true",
      says: "body.s should be \"other\" | 1 | true"),
    expectation("shape array", "body.a.b is [int]", wrong: "body.list is [int]", says: "body.list[0] should be int"),
    expectation(
      "shape object", "body.list[0] is { id: int, k: string }", wrong: "body.list[0] is { id: string, j: int }",
      says: "body.list[0].k should be no such key"),
    expectation(
      "shape optional", "body.list is [{ id: int, k?: string }]", wrong: "body.list is [{ id: int, k: string }]",
      says: "body.list[1].k should be string, and is missing"),
    expectation(
      "shape open", "body is { s: string, ... }", wrong: "body is { s: string, t: any, ... }",
      says: "body.t should be any, and is missing"),
    expectation(
      "shape empty", "[] is []", wrong: "body.list is []", says: "body.list should be []"),
    Construct(
      "shape snapshot", "one: GET {url}/\n  expect body.half is snapshot\nGET {url}/after", sends: "GET /after",
      wrong: "two: GET {url}/\n  expect body.half is snapshot", says: "body.half should be \"other\", and is 1.5"),
  ]
}
