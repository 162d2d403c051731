/// What `:help` shows besides the commands: the language, by example.
enum HelpTopic: String, CaseIterable {
  case request, response, items, auth, loop, stream, profile, outside, value, programs, curl, send, keys

  /// What is typed, and what it does.
  typealias Line = (text: String, meaning: String)

  static let list = allCases.map(\.rawValue).joined(separator: ", ")

  /// The topic that the word is a prefix of, names in the plural, or is about.
  init?(_ word: String) {
    let word = word.lowercased()
    let other: [String: HelpTopic] = [
      "get": .request, "post": .request, "put": .request, "patch": .request, "delete": .request, "head": .request,
      "json": .request, "form": .items, "multipart": .items, "upload": .items, "header": .request, "item": .items,
      "file": .items, "nested": .items, "streams": .stream, "streaming": .stream, "sse": .stream, "events": .stream,
      "ndjson": .stream,
      "headers": .request, "query": .request, "expect": .request, "requests": .request, "http": .curl,
      "httpie": .curl, "options": .curl, "-h": .curl, "|": .programs, "pipe": .programs, "pipes": .programs,
      "program": .programs, "jq": .programs, "stdin": .send,
      "responses": .response, "link": .response, "links": .response, "redirect": .response, "redirects": .response,
      "reference": .response, "references": .response, "cookie": .response, "cookies": .response, "status": .response,
      "body": .response, "text": .response, "environment": .outside, "environments": .outside, "use": .outside,
      "vars": .outside, "env-file": .outside, "load": .outside,
      "token": .profile, "secret": .profile, "login": .profile, "profiles": .profile,
      "basic": .auth, "bearer": .auth, "digest": .auth, "password": .auth, "credential": .auth,
      "for": .loop, "repeat": .loop, "loops": .loop, "while": .loop, "until": .loop, "pages": .loop, "paging": .loop,
      "poll": .loop, "polling": .loop, "download": .request,
      "values": .value, "expression": .value, "expressions": .value, "functions": .value, "function": .value,
      "xpath": .value, "html": .value, "csrf": .value, "regex": .value, "filter": .value, "jsonpath": .value,
      "count": .value, "sum": .value, "let": .value,
      "variables": .value, "key": .keys, "tab": .keys, "!!": .keys,
    ]
    guard let topic = HelpTopic(rawValue: word) ?? other[word] else { return nil }
    self = topic
  }

  var title: String {
    switch self {
    case .request: "METHOD where name=value … clauses, on the same line or on the next"
    case .response: "What a response has: $1 is the first, $_ the last, $login that of a label"
    case .items: "Items follow the URL, as HTTPie has them; each is one word, or in quotes"
    case .auth: "A credential goes to its own host only; that of a profile goes along by itself"
    case .loop: "A block in braces may go on over several lines; ^C ends it"
    case .stream: "What comes bit by bit is shown as it comes; ^C ends it and keeps what came"
    case .profile: "A profile is a host with what is sent to it, and to nobody else"
    case .outside: "What differs from place to place comes from files, the shell and you"
    case .value: "What a request may hold, and :print shows"
    case .programs: "What follows | is a program of the shell, and gets the body as it is"
    case .curl: "A pasted line for curl or HTTPie runs; curl's options go after any request"
    case .send: "In a shell: one request; one word is as here, several are items, as they are"
    case .keys: "Lines are edited as in emacs, or vi with \"bind -v\" in ~/.editrc"
    }
  }

  var lines: [Line] {
    switch self {
    case .request:
      [
        ("GET /items page==2 X-Trace:1", "a query, a header"), ("GET /items Accept: Cookie;", "left out, sent empty"),
        ("POST /items name=ann age:=3", "a JSON body"),
        ("POST /items tags[]=a user[name]=ann", "arrays and objects"),
        ("POST /items text=@note.txt list:=@list.json", "from files"),
        ("POST /items form name=ann", "a form"), ("POST /files file@a.png note=x", "an upload, as browsers do it"),
        ("PUT /files/7 body file(\"a.png\")", "a file as it is"), ("POST /items json { tags: [\"a\", \"b\"] }", ""),
        ("GET /x header Accept: text/plain", ""), ("GET /x auth basic \"ann\", $env.PASSWORD", "or bearer, none"),
        ("GET /x timeout 5s retry 3 redirects none", ""), ("GET /x expect 200 | 204", "anything else is an error"),
        ("GET /job repeat every 2s until body.done", "^C ends it"), ("GET /file save body to \"file.zip\"", ""),
        ("GET /events stream for 10s", "as it comes; ^C keeps what came"),
        ("GET /events stream until body[-1].data.done", "events are { event, id, data }"),
        ("login: POST /login user=ann", "its response is $login, too"),
      ]
    case .response:
      [
        ("$_.status", "also $_.protocol, $_.size, $_.time"),
        ("$_.headers.content-type", "each of its lines: $_.header-lines.x[0]"),
        ("$_.body.items[0].id", "JSON; $_.text and $_.bytes as they came"),
        ("$_.links.next ?? \"none\"", "where a Link header leads"),
        ("GET ($_.links.next ?? \"/items\")", "the next page"),
        ("$_.location ?? \"none\"", "where a Location header leads"),
        ("$_.redirects[*].url", "what was followed: also status, location"), ("$_.url", "where it led"),
        ("$_.cookies", "by name; all of one: $_.set-cookie.sid"),
        ("$_.request.headers", "what was sent: also url, body"),
        ("$_.certificate ?? \"none\"", "the server's"),
      ]
    case .items:
      [
        ("POST /items name=ann", "a text, a member of a JSON body"),
        ("POST /items \"note=hi there\"", "with spaces; note=\"hi there\" too"),
        ("POST /items age:=41 on:=true", "JSON"), ("POST /items id=$1.body.id", "a value"),
        ("POST /items \"id=x-{$1.body.id}\"", "a text with one in it"),
        ("POST /items tags[]=a tags[]=b", "an array"), ("POST /items user[name]=ann", "an object"),
        ("GET /items page==2", "a query"), ("GET /items X-Trace:1", "a header"),
        ("GET /items Accept: Cookie;", "left out, sent empty"),
        ("POST /items text=@note.txt", "the text in a file; a:=@x.json its JSON"),
        ("POST /items file@a.png;type=image/png", "an upload, in parts"),
        ("POST /items form a=1 b=2", "a form instead of JSON"),
        ("POST /items multipart a=1", "parts without a file"),
        ("POST /items json { a: 1 } header X: 1", "clauses, as in a script"),
      ]
    case .auth:
      [
        ("GET /x auth bearer $env.TOKEN", "with this request"), ("GET /x auth basic \"ann\", $env.PASSWORD", ""),
        ("GET /x auth digest \"ann\", $env.PASSWORD", "what a 401 may ask for"),
        ("GET /x auth none", "without the profile's"),
        ("profile api { base https://api.example.com auth bearer $env.TOKEN }", ""),
        ("profile api { base https://api.example.com auth bearer $1.body.token }", ""),
        ("secret token = ask(\"token\") for api", "it is asked for, and not shown"),
      ]
    case .loop:
      [
        ("for $i in [1, 2, 3] { GET /items/{$i} }", "a request for each"),
        ("for $id in $1.body.items[*].id { GET /x/{$id} }", "for each of a response"),
        ("job: GET /jobs/7 repeat every 2s until body.done", "until it is so"),
        ("GET /job repeat every 2s for 1m until body.done", "or 9 times: at most"),
        ("$job.rounds[*].body.state", "of all its responses"),
        ("p: GET ($p.links.next ?? \"/items\") repeat until links.next ?? null == null", ""),
        ("$p.rounds[*].body[*].id", "what is on all those pages"),
        (":repeat every 2s until status == 200", "the last request"),
      ]
    case .stream:
      [
        ("GET /events", "events, JSON lines, text"),
        ("GET /events stream for 10s", "that long; then it is complete"),
        ("GET /events stream until body[-1].data.done", "until that holds"),
        ("GET /events stream until text contains \"x\"", "of any text"),
        ("GET /events stream for 9s until body[3].id", "fails if it never holds"),
        ("GET /events stream timeout 30s", "the longest silence"),
        ("$1.body[*].data", "events and lines are an array"), ("$1.text", "the text as it came"),
        ("GET /events | jq .data", "each event, as it comes"),
        ("| jq .", "what came, through a program"),
      ]
    case .profile:
      [
        ("profile api { base https://api.example.com }", "/paths go there"),
        ("profile api { base https://api.example.com auth bearer $env.TOKEN }", ""),
        ("profile api { base https://api.example.com auth bearer $1.body.token }", ""),
        ("secret token = ask(\"token\") for api", "it is not shown"), (":profile api", "chooses it"),
        (":profile https://b.example.com", "a new one"), (":profile remove api", "it is there no longer"),
        ("GET api:/items", "goes there anyway"),
      ]
    case .outside:
      [
        ("let id = ($env.ITEM ?? \"7\")", "a variable of the shell"),
        ("secret key = $env.TOKEN for api", "one that is not shown"),
        (":load staging.wb", "let, secret and profile: an environment"),
        (":load values.yaml", "values by name, or .json"), (":load .env", "variables that the shell does not have"),
        (":vars", "what there is"), (":profile", "where requests go"),
        ("workbench --use staging.wb", "from the start; also --vars, --env-file"),
      ]
    case .value:
      [
        ("$1.body.items[0].id", "of the first response"), ("$_.status", "of the last: headers, time, …"),
        ("$1.body.items[*].name", "of each"), ("$1.body.items[?@.price > 3]", "those (RFC 9535)"),
        ("$1.body.items | count", "Tab after | lists the functions"), ("$1.body.items[*].price | sum", ""),
        ("\"id {$1.body.id}\"", "within a text"),
        ("GET /items/{$1.body.id}", "within a path"), ("let id = $1.body.id", "a name for it"),
        ("file(\"a.json\").json", "a file's text is .text"),
        ("$_.text | xpath(\"//input/@value\") | first", "of a page"),
        ("$_.links.next", "what else there is: :help response"),
        ("| jq .", "the last body through a program"), (":body | less", ":show headers | grep x"),
      ]
    case .programs:
      [
        ("| jq .items", "the last response"), ("GET /items | jq .", "this one; a stream as it comes"),
        ("GET /events | jq .data", "jq gets each event as a line of JSON"), (":body $1 | less", "another one"),
        (":show headers | less", "what is shown"),
        ("$1.body.items | count", "a function, in :print and in requests"),
      ]
    case .curl:
      [
        ("curl -H 'X-A: b' -d a=1 https://a.example/x", "as it is; $'\\x89' is a byte"),
        ("http POST https://a.example/x name=ann", "HTTPie, with its options"),
        ("POST /x -d a=1 -H 'X-A: b'", "after a request"), ("GET /x -u ann:$env.PASSWORD", ""),
        ("GET /x -v", "or -i: the headers too"), ("/x -I", "only those, with HEAD"),
        ("curl https://a.example/x -u ann:$PASSWORD", "of let, or a variable"), (":show $1 curl", "the other way"),
        (":explain curl https://a.example/x", "what would be sent"),
      ]
    case .send:
      [
        ("workbench send POST URL name=ann X-A:b", "each word is one item"),
        ("workbench send POST URL form a=1 expect 201", "from a clause on, as here"),
        ("workbench send 'GET /items page==2'", "one word: as here"),
        ("workbench send GET URL | jq .", "the body, byte for byte"),
        ("echo '{}' | workbench send POST URL", "the body; also PUT, PATCH"),
        ("echo a=1 | workbench send DELETE URL -d @-", "the body of any request"),
        ("workbench send http POST URL --ignore-stdin", "standard input is not read"),
        ("workbench send GET URL --output f.json", "-v -b --headers --profile"),
      ]
    case .keys:
      [
        ("Tab", "completes from what is there, then lists it"), ("↑ ↓ ^P ^N", "earlier and later entries"),
        ("^R", "searches them"), ("M-p M-n", "those that begin like the line"), ("^X^E", "the line in $EDITOR"),
        ("!!", "the line before, shown and done again"), ("^C", "abandons the line, or ends the request"),
        ("^L ^Z ^D", "empty screen, suspend, leave"),
      ]
    }
  }
}
