"""An authorization server whose every decision is Authlib's, and an API that asks it about tokens.

authlib_server.py PORT SECRET PUBLIC_KEY. The client is "workbench". In a browser a page asks whether it may, and its
script says yes, so that only what runs scripts gets on. A device's code is entered with GET /enter?code=…. GET /grants
says which grants were made, and how the client proved itself.
"""

import sys, time

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants, list_to_scope, scope_to_list
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7523 import JWTBearerClientAssertion
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
from authlib.oauth2.rfc9207 import IssuerParameter
from flask import Flask, jsonify, request
from joserfc import jwk

PORT, SECRET, PUBLIC_KEY = int(sys.argv[1]), sys.argv[2], sys.argv[3]
ISSUER = "http://127.0.0.1:%d" % PORT
app = Flask("authlib")
codes, devices, entered, tokens, assertions, log = {}, {}, {}, [], set(), []


class Client(ClientMixin):
    def get_client_id(self): return "workbench"
    def get_default_redirect_uri(self): return None
    def get_allowed_scope(self, scope): return list_to_scope([s for s in scope_to_list(scope) if s in ("s1", "s2")])
    # Of a loopback address any port is the same (RFC 8252 §7.3).
    def check_redirect_uri(self, uri): return uri.startswith("http://127.0.0.1:") and uri.endswith("/callback")
    def check_client_secret(self, secret): return secret == SECRET
    def check_endpoint_auth_method(self, method, endpoint):
        if method != "none" and (endpoint, method) not in log:
            log.append((endpoint, method))
        return True
    def check_response_type(self, kind): return kind == "code"
    def check_grant_type(self, kind): return True


class Token(dict, TokenMixin):
    def check_client(self, client): return self["client"] == client.get_client_id()
    def get_scope(self): return self["scope"]
    def get_expires_in(self): return self["expires_in"]
    def is_expired(self): return self["issued"] + self["expires_in"] < time.time()
    def is_revoked(self): return self.get("revoked", False)
    def get_user(self): return self["user"]
    def get_client(self): return Client()


def save(token, request):
    log.append(("grant", request.payload.grant_type))
    tokens.append(Token(token, client="workbench", user=request.user, issued=time.time(), scope=token.get("scope", "")))


server = AuthorizationServer(app, lambda name: Client() if name == "workbench" else None, save)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server.load_config(app.config)


class Assertion(JWTBearerClientAssertion):
    def get_audiences(self): return [ISSUER, ISSUER + "/token"]
    def resolve_client_public_key(self, client): return jwk.ECKey.import_key(open(PUBLIC_KEY).read())
    def validate_jti(self, claims, jti):
        known = jti in assertions
        assertions.add(jti)
        return not known


METHODS = ["client_secret_basic", "client_secret_post", "client_assertion_jwt", "none"]


class Code(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def save_authorization_code(self, code, request):
        data = request.payload.data
        codes[code] = Grant(
            redirect_uri=request.payload.redirect_uri, scope=request.payload.scope, user=request.user,
            challenge=data.get("code_challenge"), method=data.get("code_challenge_method"))

    def query_authorization_code(self, code, client): return codes.get(code)
    def delete_authorization_code(self, code): codes.clear()
    def authenticate_user(self, code): return code["user"]


class Grant(dict):
    def get_redirect_uri(self): return self["redirect_uri"]
    def get_scope(self): return self["scope"]
    @property
    def code_challenge(self): return self["challenge"]
    @property
    def code_challenge_method(self): return self["method"]


class ClientCredentials(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS[:3]


class Refresh(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, text):
        return next((t for t in tokens if t.get("refresh_token") == text and not t.is_revoked()), None)

    def authenticate_user(self, token): return token["user"]
    def revoke_old_credential(self, token): token["revoked"] = True


class Device(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def query_device_credential(self, code): return devices.get(code)
    def query_user_grant(self, code): return entered.get(code)
    def should_slow_down(self, credential):
        pause, credential["asked"] = time.time() - credential.get("asked", 0), time.time()
        return pause < 1


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    INTERVAL = 1

    def get_verification_uri(self): return ISSUER + "/enter"
    def save_device_credential(self, client, scope, data):
        devices[data["device_code"]] = DeviceCredentialDict(
            data, client_id=client, scope=scope, expires_at=time.time() + data["expires_in"])


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = METHODS

    def query_token(self, text, hint): return next((t for t in tokens if text in t.values()), None)
    def revoke_token(self, token, request):
        token["revoked"] = True
        log.append(("revoked", "token"))


class Issuer(IssuerParameter):
    def get_issuer(self): return ISSUER


class Validator(BearerTokenValidator):
    def authenticate_token(self, text): return next((t for t in tokens if t["access_token"] == text), None)


server.register_client_auth_method(Assertion.CLIENT_AUTH_METHOD, Assertion())
server.register_grant(Code, [CodeChallenge(required=True)])
for grant in (ClientCredentials, Refresh, Device):
    server.register_grant(grant)
server.register_endpoint(DeviceEndpoint)
server.register_endpoint(Revocation)
server.register_extension(Issuer())
protect = ResourceProtector()
protect.register_token_validator(Validator())


@app.get("/.well-known/oauth-authorization-server")
def metadata():
    return jsonify({
        "issuer": ISSUER, "authorization_endpoint": ISSUER + "/authorize", "token_endpoint": ISSUER + "/token",
        "device_authorization_endpoint": ISSUER + "/device", "revocation_endpoint": ISSUER + "/revoke",
        "response_types_supported": ["code"], "authorization_response_iss_parameter_supported": True,
        "code_challenge_methods_supported": ["S256"],
    })


@app.route("/authorize", methods=["GET", "POST"])
def authorize():
    if request.method == "POST":
        grant = server.get_consent_grant(end_user="ann")
        return server.create_authorization_response(grant_user="ann", grant=grant)
    server.get_consent_grant(end_user="ann")
    return """<html><title>May it?</title><form method="post"><button>Yes</button></form>
      <script>document.forms[0].submit()</script></html>"""


@app.post("/token")
def token(): return server.create_token_response()


@app.post("/device")
def device(): return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@app.post("/revoke")
def revoke(): return server.create_endpoint_response(Revocation.ENDPOINT_NAME)


@app.get("/enter")
def enter():
    entered[request.args["code"]] = ("ann", True)
    return "thank you"


@app.get("/api")
@protect("s1")
def api(): return jsonify({"who": current_token["user"] or "workbench", "scope": current_token["scope"]})


@app.get("/grants")
def made(): return jsonify(["%s %s" % each for each in log])


app.run("127.0.0.1", PORT, threaded=True)
