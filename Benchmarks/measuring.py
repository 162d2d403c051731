"""What a command takes, for the scripts beside this one."""
import contextlib, os, shutil, socket, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))


def compiled(directory, name, *options):
    """The path of a C program of this directory, made in the other."""
    path = os.path.join(directory, name)
    subprocess.check_call(["cc", "-O2", "-o", path, os.path.join(HERE, name + ".c"), *options])
    return path


class Meter:
    """Measures by way of measure.c, whose own memory is in no figure."""

    def __init__(self, directory):
        self.program = compiled(directory, "measure", "-static")

    def once(self, command, environment=None):
        """Seconds, seconds of processor time, and the largest resident set in MiB of one run, which must go well."""
        command = [str(word) for word in command]
        done = subprocess.run([self.program, *command], capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
        seconds, processor, kib = (float(word) for word in done.stdout.split())
        return seconds, processor, kib / 1024


def rich_script(steps):
    """The same number of steps, each with a document of several members, three references and an expectation of members."""
    lines = ["profile api {", "  base https://api.example.com/v1", "}", ""]
    for step in range(steps):
        before = f"s{max(0, step - 1)}"
        lines += [
            f"s{step}: POST api:/items" + (f"/{{${before}.body.id}}" if step else ""),
            f'  json {{ name: "item {step}", before: ${before}.body.id, at: {{ x: {step}, y: [1, 2, 3], ok: true }}, '
            f'tags: ["a", "b", "{{${before}.status}}"] }}' if step else '  json { name: "first" }',
            f"  expect body.id == ${before}.body.id" if step else "  expect 201",
            "  expect body is { id: int, at: { x: int, ... }, ... }",
            "",
        ]
    return "\n".join(lines[:-1]) + "\n"


def script(steps):
    """A script of so many steps: a label, a path with a value of the step before, a JSON body, two expectations each."""
    lines = ["profile api {", "  base https://api.example.com/v1", "  header Accept: application/json", "}", ""]
    for step in range(steps):
        target = f"api:/items/{{$s{step - 1}.body.id}}" if step else "api:/items"
        lines += [
            f"s{step}: POST {target}",
            f'  json {{ name: "item {{$s{max(0, step - 1)}.status}}", count: {step}, tags: ["a", "b"] }}' if step
            else "  json { name: \"first\" }",
            "  expect 201",
            "  expect body is { id: int, name: string, ... }",
            "",
        ]
    return "\n".join(lines[:-1]) + "\n"


def swift_product(name, package=HERE):
    """The path of a product of the package, made in release mode with a static standard library."""
    build = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--package-path", package]
    subprocess.check_call(build + ["--product", name], stdout=sys.stderr)
    return os.path.join(subprocess.check_output(build + ["--show-bin-path"], text=True).strip(), name)


def find(name, *places):
    # Places first: what a search path leads to may be a script that looks for the real one, each time it is started.
    path = next((p for p in places if p and os.access(p, os.X_OK)), None) or shutil.which(name)
    if not path:
        print(f"SKIPPED: {name} is not here", file=sys.stderr)
    return path


def counter(directory, uploader):
    """Counts the instructions of a request, of the uploader or of another program; nil without valgrind."""
    valgrind = find("valgrind")
    if not valgrind:
        return None
    stripped = os.path.join(directory, "stripped")
    # Of the debug information of Swift, valgrind reads what it can not make sense of.
    subprocess.check_call(["strip", "-g", "-o", stripped, uploader])
    out, few, many = os.path.join(directory, "callgrind.out"), 256, 1280

    def counted(command):
        subprocess.run(
            [valgrind, "--tool=callgrind", f"--callgrind-out-file={out}", *command],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(out) as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith(("summary:", "totals:")))

    def a_request(program, mode, url, more):
        costs = [counted([program or stripped, mode, url, str(requests), *more]) for requests in (few, many)]
        return (costs[1] - costs[0]) / (many - few)
    return a_request


def certificate(directory):
    """The path of a certificate of 127.0.0.1 that vouches for itself; its key is beside it, ending in .key."""
    path = os.path.join(directory, "server.pem")
    subprocess.check_call([
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-out", path, "-keyout", path + ".key"],
        stderr=subprocess.DEVNULL)
    return path


@contextlib.contextmanager
def nginx(directory, certificate=None):
    """One on loopback, whose files are those of the directory: its address, and its process. With a certificate it speaks
    TLS. What is in packed/ is said to be compressed."""
    os.environ["PATH"] += os.pathsep + "/usr/sbin"
    program = find("nginx") or sys.exit("nginx is needed: Scripts/prepare-servers")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    scheme, tls = "http", ""
    if certificate:
        scheme, tls = "https", f"ssl_certificate {certificate}; ssl_certificate_key {certificate}.key;"
    configuration = os.path.join(directory, f"nginx-{scheme}.conf")
    with open(configuration, "w") as file:
        file.write(f"""
            daemon off; master_process off; pid {scheme}.pid; error_log error.log;
            {"user root;" if os.getuid() == 0 else ""}
            events {{ worker_connections 4096; }}
            http {{
              access_log off; client_max_body_size 0; keepalive_requests 10000000; sendfile on; tcp_nodelay on;
              types {{ application/json json; }}
              client_body_temp_path body; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
              server {{
                listen 127.0.0.1:{port}{" ssl" if certificate else ""};
                {tls}
                root {directory};
                location /packed/ {{ add_header Content-Encoding gzip; default_type text/plain; }}
                location = /small {{ return 200 '{{"id": 4711, "state": "ready"}}'; }}
                location /take/ {{ return 204; }}
              }}
            }}""")
    server = subprocess.Popen([program, "-p", directory, "-e", "error.log", "-c", configuration])
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"{scheme}://127.0.0.1:{port}", server
    finally:
        server.terminate()
        server.wait()
