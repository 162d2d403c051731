"""glewlwyd with a fresh database, its OIDC plugin, one client and one user.

glewlwyd.py PORT CALLBACK_PORT SECRET PUBLIC_KEY [--tls]: in the working directory, until it is killed. When everything
is set up the file "ready" is there. With --tls it presents good.pem, and knows a second client, "certified", by the
certificate of ca.pem that it presents. glewlwyd.py --person BASE URL: signs in as the user, and follows the URL back.
glewlwyd.py --device BASE CODE: signs in as the user, and enters the code of a device.
"""

import ctypes, glob, gzip, http.cookiejar, json, os, signal, sqlite3, ssl, subprocess, sys, time
import urllib.error, urllib.request

trust = ssl.create_default_context(cafile="ca.pem" if os.path.exists("ca.pem") else None)
opener = urllib.request.build_opener(
    urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), urllib.request.HTTPSHandler(context=trust))


def call(base, method, path, body):
    request = urllib.request.Request(
        base + "/api" + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method)
    try:
        return opener.open(request, timeout=10).read()
    except urllib.error.HTTPError as error:
        sys.exit("%s %s: %d %s" % (method, path, error.code, error.read()[:300]))


if sys.argv[1] == "--person":
    base, url = sys.argv[2:4]
    call(base, "POST", "/auth/", {"username": "admin", "password": "password"})
    call(base, "PUT", "/auth/grant/workbench/", {"scope": "openid s1"})
    opener.open(url + "&g_continue", timeout=10).read()
    sys.exit(0)

if sys.argv[1] == "--device":
    base, code = sys.argv[2:4]
    call(base, "POST", "/auth/", {"username": "admin", "password": "password"})
    call(base, "PUT", "/auth/grant/workbench/", {"scope": "openid s1"})
    opener.open(base + "/api/oidc/device?code=%s&g_continue" % code, timeout=10).read()
    sys.exit(0)

port, callback, secret, public_key = sys.argv[1:5]
has_tls = "--tls" in sys.argv
base = ("https" if has_tls else "http") + "://localhost:" + port
place = [p for p in ("/usr/lib/glewlwyd", *glob.glob("/usr/lib/*/glewlwyd")) if os.path.isdir(p)][0]
with gzip.open("/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz") as script:
    sqlite3.connect("g.db").executescript(script.read().decode())
settings = {
    "bind_address": "127.0.0.1", "external_url": base + "/", "login_url": "login.html", "api_prefix": "api",
    "session_key": "G2", "admin_scope": "g_admin", "profile_scope": "g_profile", "hash_algorithm": "SHA512",
    "static_files_path": "/usr/share/glewlwyd/webapp", "log_mode": "console", "log_level": "ERROR",
    "user_module_path": place + "/user", "user_middleware_module_path": place + "/user_middleware",
    "client_module_path": place + "/client", "user_auth_scheme_module_path": place + "/scheme",
    "plugin_module_path": place + "/plugin",
}
with open("g.conf", "w") as file:
    file.write("port=%s\ncookie_secure=0\nsession_expiration=86400\n" % port)
    if has_tls:
        place_of = os.getcwd()
        file.write('use_secure_connection=true\nsecure_connection_key_file="%s/good.key"\n' % place_of)
        file.write('secure_connection_pem_file="%s/good.pem"\n' % place_of)
        file.write('secure_connection_ca_file="%s/ca.pem"\n' % place_of)
    file.writelines('%s="%s"\n' % item for item in settings.items())
    file.write('database = { type = "sqlite3" path = "%s/g.db" }\n' % os.getcwd())
subprocess.run("openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.pem && "
               "openssl rsa -in rsa.pem -pubout -out rsa.pub", shell=True, check=True, stderr=subprocess.DEVNULL)
# It ends with this process, however that ends.
libc = ctypes.CDLL(None)
server = subprocess.Popen(["glewlwyd", "-c", "g.conf"], preexec_fn=lambda: libc.prctl(1, signal.SIGKILL))
for _ in range(200):
    try:
        opener.open(base + "/config", timeout=1)
        break
    except urllib.error.HTTPError:
        break
    except OSError:
        time.sleep(0.05)
call(base, "POST", "/auth/", {"username": "admin", "password": "password"})
call(base, "POST", "/scope/", {
    "name": "s1", "display_name": "s1", "description": "s1", "password_required": False, "scheme": {}})
call(base, "PUT", "/user/admin", {
    "username": "admin", "name": "Ann", "scope": ["g_admin", "g_profile", "s1", "openid"], "enabled": True})
call(base, "POST", "/mod/plugin/", {"module": "oidc", "name": "oidc", "display_name": "oidc", "parameters": {
    "iss": base + "/api/oidc", "jwt-type": "rsa", "jwt-key-size": "256", "key": open("rsa.pem").read(),
    "cert": open("rsa.pub").read(), "access-token-duration": 3600, "refresh-token-duration": 1209600,
    "code-duration": 600, "refresh-token-rolling": True, "refresh-token-one-use": "always", "allow-non-oidc": True,
    "auth-type-client-enabled": True, "auth-type-code-enabled": True, "auth-type-code-revoke-replayed": True,
    "auth-type-token-enabled": False, "auth-type-id-token-enabled": True, "auth-type-none-enabled": False,
    "auth-type-password-enabled": False, "auth-type-refresh-enabled": True, "auth-type-device-enabled": True,
    "device-authorization-expiration": 600, "device-authorization-interval": 2, "scope": [],
    "additional-parameters": [], "claims": [], "service-documentation": "", "op-policy-uri": "", "op-tos-uri": "",
    "jwks-show": True, "jwks-x5c": [], "request-parameter-allow": True, "secret-type": "pairwise",
    "address-claim": {"type": "no"}, "name-claim": "no", "email-claim": "no", "scope-claim": "no",
    "allowed-scope": ["openid"], "pkce-allowed": True, "pkce-method-plain-allowed": False, "pkce-required": True,
    "introspection-revocation-allowed": True, "introspection-revocation-allow-target-client": True,
    "introspection-revocation-auth-scope": [], "register-client-allowed": False, "session-management-allowed": False,
    "client-pubkey-parameter": "pubkey", "client-jwks-parameter": "jwks", "client-jwks_uri-parameter": "jwks_uri",
    "encrypt-out-token-allow": False, "oauth-rar-allowed": False, "oauth-par-allowed": False,
    "request-maximum-exp": 3600, "client-cert-source": "TLS", "client-cert-use-endpoint-aliases": False,
    "client-cert-self-signed-allowed": False,
}})
call(base, "POST", "/client/", {
    "client_id": "workbench", "name": "workbench", "confidential": True, "client_secret": secret, "password": secret,
    "redirect_uri": ["http://127.0.0.1:%s/callback" % callback],
    "authorization_type": ["code", "client_credentials", "refresh_token", "device_authorization", "delete_token"],
    "scope": ["openid", "s1"], "enabled": True, "pubkey": open(public_key).read(),
    "token_endpoint_auth_method": ["client_secret_basic", "client_secret_post", "private_key_jwt"],
})
call(base, "POST", "/client/", {
    "client_id": "certified", "name": "certified", "confidential": True,
    "authorization_type": ["client_credentials"], "scope": ["s1"], "enabled": True,
    "token_endpoint_auth_method": ["tls_client_auth"], "tls_client_auth_san_dns": "uploader.test",
})
call(base, "PUT", "/mod/plugin/oidc/reset/", {})
open("ready", "w").close()
server.wait()
