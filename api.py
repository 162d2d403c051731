import http.server, json, sys, time
class H(http.server.BaseHTTPRequestHandler):
    protocol_version="HTTP/1.1"
    def log_message(self,*a): pass
    def do(self):
        n=int(self.headers.get('Content-Length') or 0); b=self.rfile.read(n)
        if self.path.startswith('/sse'):
            self.send_response(200); self.send_header('Content-Type','text/event-stream'); self.send_header('Transfer-Encoding','chunked'); self.end_headers()
            try:
                for i in range(1000000):
                    d=("id: %d\ndata: {\"n\": %d}\n\n"%(i,i)).encode()
                    self.wfile.write(b"%x\r\n%s\r\n"%(len(d),d)); self.wfile.flush()
                    time.sleep(float((self.path.split('=')+['0.1'])[1]))
            except Exception: pass
            return
        body=json.dumps({"method":self.command,"path":self.path,"headers":dict(self.headers),"body":b.decode('latin1')}).encode()
        self.send_response(200); self.send_header('Content-Type','application/json'); self.send_header('Content-Length',str(len(body))); self.end_headers()
        if self.command!='HEAD': self.wfile.write(body)
    do_GET=do_POST=do_PUT=do_DELETE=do_HEAD=do_PATCH=do_OPTIONS=do
http.server.ThreadingHTTPServer(('127.0.0.1',int(sys.argv[1])),H).serve_forever()
