"""What HTTPie would send for each line of items.txt, as JSON: one object for each line.

python record.py items.txt DIRECTORY, with the Python of HTTPie's environment; DIRECTORY has the files that the lines
name as D/…. What follows `<` at the end of a line is the file that is standard input.
"""
import io
import json
import os
import re
import shlex
import sys

from httpie.context import Environment
from httpie.core import main


def lines(path):
    text = open(path, encoding="utf-8").read()
    pending = ""
    for line in text.split("\n"):
        if not pending and (not line or line.startswith("# ")):
            continue
        pending = pending + "\n" + line if pending else line
        try:
            shlex.split(pending)
        except ValueError:
            continue
        yield pending
        pending = ""


class Output(io.TextIOWrapper):
    def isatty(self):
        return False


def offline(words):
    standard_input, ignored = None, ["--ignore-stdin"]
    if "<" in words:
        standard_input, ignored = open(words[-1], "rb"), []
        words = words[:words.index("<")]
    out, err = Output(io.BytesIO(), encoding="utf-8"), io.StringIO()
    environment = Environment(stdin=standard_input, stdin_isatty=standard_input is None, stdout=out, stdout_isatty=False,
                              stderr=err, devnull=err, colors=0, config_dir=os.path.join(sys.argv[2], "config"), program_name="http")
    sys.stderr, standard = err, sys.stderr
    try:
        code = int(main(["http", "--offline", *ignored, "--unsorted", *words], env=environment))
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException as error:
        code = 99
        err.write(repr(error))
    finally:
        sys.stderr = standard
    out.flush()
    return code, out.buffer.getvalue()


directory = sys.argv[2]
found = []
for line in lines(sys.argv[1]):
    words = [word.replace("D/", directory + "/") for word in shlex.split(line)]
    code, sent = offline(words)
    if code or not sent:
        found.append({"line": line, "error": True})
        continue
    head, _, body = sent.partition(b"\r\n\r\n")
    text = head.decode("utf-8", "surrogateescape")
    boundary = re.search("boundary=([0-9a-f]+)", text)
    body = body.decode("utf-8", "replace")
    if boundary:
        body, text = body.replace(boundary[1], "boundary"), text.replace(boundary[1], "boundary")
    first, *fields = text.split("\r\n")
    found.append({"line": line, "first": first, "fields": fields, "body": body})
json.dump(found, sys.stdout, ensure_ascii=False, indent=1)
print()
