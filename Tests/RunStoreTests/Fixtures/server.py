"""Answers the scripts of this directory, for `record`: cookies, a redirect, a large body, a presigned URL, an upload that is
cut off."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        if not any(name.lower() == "content_type" for name in headers):
            headers["Content-Type"] = "application/json"
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path, _, query = self.path.partition("?")
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if path == "/session":
            self.answer(200, json.dumps({"user": "ada", "token": token}).encode(), Set_Cookie="sid=cookie-of-the-session")
        elif path == "/jobs" and self.command == "POST":
            self.answer(201, json.dumps({"id": "job-1", "title": json.loads(body)["title"]}).encode())
        elif path == "/old":
            self.answer(302, Location="/jobs/1?from=old")
        elif path.startswith("/jobs/"):
            self.answer(200, json.dumps({"id": path.removeprefix("/jobs/"), "state": "open"}).encode())
        elif path == "/large":
            self.answer(200, b"large " * 12_000, Content_Type="text/plain")
        elif path == "/allocate":
            host = self.headers["Host"]
            url = f"http://{host}/upload?X-Amz-Date=20991231T000000Z&X-Amz-Expires=3600&X-Amz-Signature=0123456789abcdef"
            self.answer(201, json.dumps({"url": url}).encode())
        elif path == "/upload":
            # Accepted, but not answered.
            self.close_connection = True
        elif path == "/form":
            self.answer(200, b"{}")
        else:
            self.answer(404, b"{}")

    do_GET = do_POST = do_PATCH = do_PUT = handle_any

    def log_message(self, *arguments):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
