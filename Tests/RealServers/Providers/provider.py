"""An authorization server and an API behind it, which misbehaves in one way per path.

provider.py PORT [CAPTURE_PORT [TLS_PORT]]: the issuer of a case is http://127.0.0.1:PORT/CASE. "good" is a case, too. What
arrives at CAPTURE_PORT should never have been sent there; GET /CASE/stats says what happened.
At TLS_PORT the same is served over TLS, to clients
that may present a certificate, with the files of the directory $PROVIDER_CERTIFICATES. What a client sent that is secret
and has no mark of a test in it goes to $KEEP_FILES, for the search.
Only the standard library is needed; assertions are verified if authlib is there.
"""

import base64, hashlib, json, os, signal, ssl, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, parse_qsl, unquote_plus, urlencode, urlsplit

try:
    import warnings

    warnings.simplefilter("ignore")
    from authlib.jose import jwt
except ImportError:
    jwt = None

PORT = int(sys.argv[1])
CAPTURE = int(sys.argv[2]) if len(sys.argv) > 2 else 0
# Secrets that tests recognize: the client's secret, and how each token begins.
CLIENT_SECRET = os.environ.get("PROVIDER_SECRET", "provider-secret")
MARK = os.environ.get("PROVIDER_MARK", "")
PUBLIC_KEY = os.environ.get("PROVIDER_KEY")
TLS = int(sys.argv[3]) if len(sys.argv) > 3 else 0
KEPT = os.environ.get("KEEP_FILES")

lock = threading.Lock()
cases = {}


class Case:
    def __init__(self, name):
        self.name = name
        self.life = 3 if "life3" in name else 1 if "life1" in name else 3600
        self.codes, self.access, self.refresh, self.devices = {}, {}, {}, {}
        self.stats = {
            "tokens": 0, "refreshes": 0, "most_at_once": 0, "reused": 0, "revoked": 0, "refused": 0, "served": 0,
            "assertions": 0, "challenges": 0, "grants": [], "clients": [], "polls": [],
        }
        self.busy = 0
        self.count = 0


def case(name):
    with lock:
        return cases.setdefault(name, Case(name))


def text(kind):
    return "%s%s~%s" % (MARK, kind, base64.urlsafe_b64encode(os.urandom(18)).decode())


def learn(value):
    """A secret that only the client and this server know: it is to be found nowhere else."""
    with lock:
        learned.append(value)
        if KEPT:
            with open(os.path.join(KEPT, "provider-%d.learned" % os.getpid()), "a") as file:
                file.write(value + "\n")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def reply(self, status, body, type="application/json", headers=()):
        data = body if isinstance(body, bytes) else (json.dumps(body) if type.endswith("json") else body).encode()
        self.send_response(status)
        self.send_header("Content-Type", type)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def handle_all(self):
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length).decode()
        if self.server.server_address[1] == CAPTURE:
            with lock:
                captured.append({"path": self.path, "headers": str(self.headers), "body": body})
            return self.reply(200, {"access_token": text("captured"), "token_type": "bearer"})
        if parts.path == "/captured":
            with lock:
                return self.reply(200, captured)
        if parts.path == "/learned":
            with lock:
                return self.reply(200, learned)
        name, _, rest = parts.path[1:].partition("/")
        if "/.well-known/oauth-authorization-server" in parts.path:
            return self.reply(404, "none", "text/plain")
        self.case = case(name)
        self.certificate = self.connection.getpeercert() if isinstance(self.connection, ssl.SSLSocket) else None
        scheme = "https" if isinstance(self.connection, ssl.SSLSocket) else "http"
        self.issuer = "%s://%s/%s" % (scheme, self.headers.get("Host"), name)
        query = dict(parse_qsl(parts.query))
        form = dict(parse_qsl(body))
        for item in ("code_verifier", "client_assertion"):
            if item in form:
                learn(form[item])
        handler = {
            ".well-known/openid-configuration": lambda: self.discovery(),
            "authorize": lambda: self.authorize(query),
            "device": lambda: self.device(form),
            "token": lambda: self.token(form),
            "revoke": lambda: self.revoke(form),
            "api": lambda: self.api(),
            "stats": lambda: self.reply(200, self.case.stats),
        }.get(rest)
        return handler() if handler else self.reply(404, "none", "text/plain")

    do_GET = do_POST = do_PUT = handle_all

    # What is said about itself.

    def discovery(self):
        name, issuer = self.case.name, self.issuer
        if name == "discovery-html":
            return self.reply(200, "<html>sign in</html>", "text/html")
        if name == "discovery-gone":
            return self.reply(404, "none", "text/plain")
        document = {
            "issuer": issuer, "authorization_endpoint": issuer + "/authorize", "token_endpoint": issuer + "/token",
            "device_authorization_endpoint": issuer + "/device", "revocation_endpoint": issuer + "/revoke",
            "authorization_response_iss_parameter_supported": name in ("good", "no-iss"),
        }
        if name == "wrong-issuer":
            document["issuer"] = issuer.replace("wrong-issuer", "good")
        if name == "no-issuer":
            del document["issuer"]
        if name == "open-endpoint":
            document["token_endpoint"] = "http://token.example.com/token"
        if name == "other-origin":
            document["token_endpoint"] = document["token_endpoint"].replace("127.0.0.1", "localhost")
        return self.reply(200, document)

    # Signing in.

    def authorize(self, query):
        code = text("code")
        self.case.codes[code] = (query.get("code_challenge"), query.get("redirect_uri"), query.get("scope"))
        answer = {"code": code, "state": query.get("state", ""), "iss": self.issuer}
        name = self.case.name
        if name == "no-state":
            del answer["state"]
        if name == "wrong-state":
            answer["state"] = "of-another-sign-in"
        if name == "wrong-iss":
            answer["iss"] = "https://evil.example.com"
        if name == "no-iss":
            del answer["iss"]
        if name == "denied":
            answer = {"error": "access_denied", "error_description": "no", "state": answer["state"], "iss": self.issuer}
        if name == "no-code":
            del answer["code"]
        location = query["redirect_uri"] + "?" + urlencode(answer)
        if name == "twice":
            location += "&state=" + answer["state"]
        return self.reply(302, "", "text/plain", [("Location", location)])

    def device(self, form):
        if not self.client(form):
            return
        code = text("code")
        self.case.devices[code] = {"polls": 0, "last": time.time()}
        answer = {
            "device_code": code, "user_code": "ABCD-EFGH", "verification_uri": self.issuer + "/enter",
            "verification_uri_complete": self.issuer + "/enter?user_code=ABCD-EFGH", "expires_in": 60, "interval": 1,
        }
        if self.case.name == "open-device":
            answer["verification_uri"] = "http://enter.example.com/"
        if self.case.name == "device-expires":
            answer["expires_in"] = 2
        return self.reply(200, answer)

    # Tokens.

    def refuse(self, error, description="", status=400):
        return self.reply(status, {"error": error, "error_description": description})

    def client(self, form):
        """Whether the client has proved itself; if not, it was told."""
        header = self.headers.get("Authorization", "")
        given, how = None, "none"
        if header.startswith("Basic "):
            user, _, given = base64.b64decode(header[6:]).decode().partition(":")
            user, given, how = unquote_plus(user), unquote_plus(given), "basic"
        elif "client_secret" in form:
            user, given, how = form.get("client_id"), form["client_secret"], "body"
        elif "client_assertion" in form:
            user, how = form.get("client_id"), "assertion"
            if jwt and PUBLIC_KEY:
                try:
                    claims = jwt.decode(form["client_assertion"], open(PUBLIC_KEY).read())
                    claims.validate()
                    assert claims["aud"] == self.issuer + "/token" and claims["iss"] == claims["sub"] == user
                    with lock:
                        self.case.stats["assertions"] += 1
                except Exception as error:
                    self.refuse("invalid_client", str(error)[:100], 401)
                    return False
        else:
            user = form.get("client_id")
            names = [value for part in (self.certificate or {}).get("subject", ()) for key, value in part]
            how = "certificate" if "uploader" in names else "none"
            if "certified" in self.case.name and how == "none":
                self.refuse("invalid_client", "no certificate of this client", 401)
                return False
        self.case.stats["clients"].append(how)
        if user is None or (given is not None and given != CLIENT_SECRET) or user == "stranger":
            self.refuse("invalid_client", "unknown", 401)
            return False
        return True

    def token(self, form):
        with lock:
            self.case.busy += 1
            self.case.stats["most_at_once"] = max(self.case.stats["most_at_once"], self.case.busy)
        try:
            self.grant(form)
        finally:
            with lock:
                self.case.busy -= 1

    def grant(self, form):
        name, kind = self.case.name, form.get("grant_type")
        self.case.stats["grants"].append(kind)
        if name == "html":
            return self.reply(502, "<html><h1>Bad Gateway</h1></html>", "text/html")
        if name == "redirect":
            return self.reply(307, "", "text/plain", [("Location", "http://127.0.0.1:%d/token" % CAPTURE)])
        if name == "huge":
            return self.reply(200, {"access_token": "x" * (4 << 20)})
        if not self.client(form):
            return
        if kind == "client_credentials":
            return self.give(with_refresh=False)
        if kind == "authorization_code":
            challenge, redirect, _ = self.case.codes.pop(form.get("code"), (None, None, None))
            digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            if challenge is None or base64.urlsafe_b64encode(digest).decode().rstrip("=") != challenge:
                return self.refuse("invalid_grant", "code or verifier")
            if form.get("redirect_uri") != redirect:
                return self.refuse("invalid_grant", "redirect_uri")
            return self.give()
        if kind == "urn:ietf:params:oauth:grant-type:device_code":
            return self.poll(form.get("device_code"))
        if kind == "refresh_token":
            return self.renew(form.get("refresh_token"))
        return self.refuse("unsupported_grant_type")

    def poll(self, code):
        device = self.case.devices.get(code)
        if device is None:
            return self.refuse("expired_token")
        pause, device["last"] = time.time() - device["last"], time.time()
        self.case.stats["polls"].append(round(pause, 1))
        device["polls"] += 1
        if self.case.name == "device-denied":
            return self.refuse("access_denied", "no")
        if self.case.name == "slow-down" and device["polls"] == 1:
            return self.refuse("slow_down")
        if self.case.name == "device-expires" or device["polls"] < 2:
            return self.refuse("authorization_pending")
        del self.case.devices[code]
        return self.give()

    def renew(self, token):
        time.sleep(0.05)
        with lock:
            known = self.case.refresh.get(token)
            if known is None or known["dead"]:
                return self.refuse("invalid_grant", "unknown refresh token")
            if known["used"]:
                # Two use the same one: whoever stole it has it no longer.
                self.case.stats["reused"] += 1
                self.take_back(known["grant"])
                return self.refuse("invalid_grant", "the refresh token was used before")
            known["used"] = True
            self.case.stats["refreshes"] += 1
        if self.case.name.startswith("kill"):
            # The client dies between the refresh and the write.
            victim = self.headers.get("X-Process")
            if victim:
                os.kill(int(victim), signal.SIGKILL)
        return self.give(grant=known["grant"])

    def take_back(self, grant):
        """Everything that came of one sign-in; the lock is held. Tests share a case: others are signed in, too."""
        for refresh in self.case.refresh.values():
            refresh["dead"] = refresh["dead"] or refresh["grant"] == grant
        self.case.access = {token: it for token, it in self.case.access.items() if it["grant"] != grant}

    def give(self, with_refresh=True, grant=None):
        name, grant = self.case.name, grant or text("grant")
        access = text("access")
        self.case.count += 1
        with lock:
            self.case.access[access] = {"end": time.time() + self.case.life, "grant": grant}
            self.case.stats["tokens"] += 1
        answer = {"access_token": access, "token_type": "Bearer", "expires_in": self.case.life}
        if with_refresh:
            answer["refresh_token"] = text("refresh")
            answer["id_token"] = text("identity")
            with lock:
                self.case.refresh[answer["refresh_token"]] = {"used": False, "dead": False, "grant": grant}
        if name == "expires-text":
            answer["expires_in"] = "soon"
        if name == "expires-digits":
            answer["expires_in"] = "3600"
        if name == "expires-absent":
            del answer["expires_in"]
        if name == "expires-negative":
            answer["expires_in"] = -5
        if name == "mac":
            answer["token_type"] = "mac"
        if name == "no-token":
            del answer["access_token"]
        if name == "short":
            answer["access_token"] = "abc"
        if name == "newline":
            answer["access_token"] = access + "\r\nX-Injected: 1"
        if name == "invalid-once" and self.case.count == 1:
            with lock:
                self.case.access.pop(access)
        if name == "always-invalid":
            with lock:
                self.case.access.pop(access)
        return self.reply(200, answer, headers=[("Cache-Control", "no-store")])

    def revoke(self, form):
        if not self.client(form):
            return
        self.case.stats["revoked"] += 1
        with lock:
            if form.get("token") in self.case.refresh:
                self.take_back(self.case.refresh[form.get("token")]["grant"])
            self.case.access.pop(form.get("token"), None)
        return self.reply(200, {})

    # What it is all for.

    def api(self):
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        with lock:
            known = self.case.access.get(token)
            good = scheme == "Bearer" and known is not None and known["end"] > time.time()
            self.case.stats["served" if good else "refused"] += 1
        if good:
            time.sleep(0.2 if "race" in self.case.name else 0)
            return self.reply(200, {"who": "ann", "echo": token if self.case.name == "echo" else ""})
        error = "insufficient_scope" if self.case.name == "scope" else "invalid_token"
        return self.reply(401, {"error": error}, headers=[("WWW-Authenticate", 'Bearer realm="api", error="%s"' % error)])


ThreadingHTTPServer.request_queue_size = 256
captured, learned = [], []
servers = [ThreadingHTTPServer(("127.0.0.1", port), Handler) for port in [PORT] + ([CAPTURE] if CAPTURE else [])]
if TLS:
    folder = os.environ["PROVIDER_CERTIFICATES"]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder + "/good.pem", folder + "/good.key")
    context.load_verify_locations(folder + "/ca.pem")
    context.verify_mode = ssl.CERT_OPTIONAL
    servers.append(ThreadingHTTPServer(("127.0.0.1", TLS), Handler))
    servers[-1].socket = context.wrap_socket(servers[-1].socket, server_side=True, do_handshake_on_connect=False)
for server in servers:
    server.daemon_threads = True
for server in servers[1:]:
    threading.Thread(target=server.serve_forever, daemon=True).start()
servers[0].serve_forever()
