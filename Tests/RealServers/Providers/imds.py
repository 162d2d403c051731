"""The metadata service of a machine of EC2, and storage, in a network namespace of their own.

imds.py KIND PROGRAM [ARGUMENT …]: runs the program, and ends as it does. KIND is "good", "old" (a machine without
IMDSv2), "no-role" or "ending" (keys that end in a minute). What was asked for goes to standard error, one line each:
"imds GET /path", "s3 GET /path Credential/… token".
"""

import json, subprocess, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

kind = sys.argv[1]
SECRET, TOKEN = sys.stdin.readline().strip(), "metadata-token-of-this-machine"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def reply(self, status, text=""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def any(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.server.server_port == 80:
            return self.metadata()
        credential = self.headers.get("Authorization", "").partition("Credential=")[2].partition("/")[0]
        token = self.headers.get("x-amz-security-token", "none")
        print("s3", self.command, self.path, credential, token == "session-" + SECRET, file=sys.stderr, flush=True)
        self.reply(200, "x")

    do_GET = do_PUT = do_POST = any

    def metadata(self):
        print("imds", self.command, self.path, file=sys.stderr, flush=True)
        if self.path == "/latest/api/token":
            is_right = self.command == "PUT" and self.headers.get("X-aws-ec2-metadata-token-ttl-seconds", "").isdigit()
            return self.reply(200, TOKEN) if is_right and kind != "old" else self.reply(404)
        if self.headers.get("X-aws-ec2-metadata-token") != TOKEN:
            return self.reply(401)
        roles = "/latest/meta-data/iam/security-credentials/"
        if kind == "no-role" or not self.path.startswith(roles):
            return self.reply(404)
        if self.path == roles:
            return self.reply(200, "uploader")
        end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + (60 if kind == "ending" else 3600)))
        self.reply(200, json.dumps({
            "Code": "Success", "Type": "AWS-HMAC", "AccessKeyId": "ASIAMACHINE", "SecretAccessKey": SECRET,
            "Token": "session-" + SECRET, "Expiration": end}))


for address in [("169.254.169.254", 80), ("127.0.0.1", 8080)]:
    server = ThreadingHTTPServer(address, Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
sys.exit(subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL).returncode)
