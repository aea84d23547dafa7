#!/usr/bin/env python3
"""Submits a job through the HTTP API and follows it; needs only Python 3.8 or newer.

    export TRAINYARD_SERVER=http://127.0.0.1:9286
    export TRAINYARD_TOKEN=...      # or TRAINYARD_USER and TRAINYARD_PASSWORD
    python3 client.py JOB_FILE

Prints the events of the job on standard error, then its output on standard output, and exits with
the exit code of the job.
"""
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

FINISHED = ("SUCCEEDED", "FAILED", "STOPPED")
LOST = (OSError, http.client.HTTPException)  # a lost connection; URLError is an OSError


class Rejected(Exception):
    """A response with an error: `code` is for programs, the text for people."""

    def __init__(self, status, error):
        problems = "".join("\n  %(line)s:%(column)s %(path)s: %(message)s" % p for p in error.get("problems", []))
        super().__init__("%s: %s%s" % (status, error.get("message", ""), problems))
        self.status = status
        self.code = error.get("code")


class Client:
    def __init__(self, server, token=None):
        self.server = server.rstrip("/")
        self.token = token

    def open(self, method, path, body=None, headers=None, timeout=60):
        """Sends a request and returns the response as a file. Waits if a rate limit is reached."""
        if isinstance(body, dict):
            body = json.dumps(body).encode()
        headers = dict(headers or {})
        if body is not None:
            headers["Content-Type"] = "application/octet-stream"
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        while True:
            request = urllib.request.Request(self.server + path, body, headers, method=method)
            try:
                return urllib.request.urlopen(request, timeout=timeout)
            except urllib.error.HTTPError as error:
                text = error.read()
                if error.code == 429 and "Retry-After" in error.headers:
                    time.sleep(int(error.headers["Retry-After"]))  # the request had no effect
                    continue
                try:
                    raise Rejected(error.code, json.loads(text)) from None
                except ValueError:
                    raise Rejected(error.code, {"message": text.decode(errors="replace")}) from None

    def call(self, method, path, body=None):
        with self.open(method, path, body) as response:
            text = response.read()
            return json.loads(text) if text else None

    # --- token ---

    def sign_in(self, user, password):
        """Starts a session. Its token expires when it is not used for some days."""
        self.token = self.call("POST", "/api/v3/sessions", {"user": user, "password": password})["token"]

    def create_token(self, name, scope="submit", days=30):
        """Returns a new token for a program; the server never shows it again."""
        body = {"name": name, "scope": scope, "expiresInSeconds": days * 86400}
        return self.call("POST", "/api/v3/tokens", body)["token"]

    # --- jobs ---

    def submit(self, text):
        """Submits a job file (bytes, in any format) under a free name and returns the job."""
        return self.call("POST", "/api/v3/jobs?suffix=true", text)

    def job(self, job):
        return self.call("GET", "/api/v3/jobs/" + quote(job))

    def wait(self, job, seconds=2):
        """Returns the job when it has finished. `events` reports the same without polling."""
        while True:
            found = retrying(lambda: self.job(job))
            if found["state"] in FINISHED:
                return found
            time.sleep(seconds)

    def log(self, job, role="-", index="-", stream="stdout"):
        """Yields the output of a task until it finishes; continues after lost connections."""
        path = "/api/v3/jobs/%s/logs/%s/%s/%s" % (quote(job), quote(role), quote(str(index)), stream)
        attempt = self.job(job)["attempt"]
        offset = 0
        while True:
            query = "?follow=true&attempt=%d&offset=%d" % (attempt, offset)
            try:
                # Longer than a task may be silent; the server does not send keep-alive bytes here.
                with self.open("GET", path + query, timeout=3600) as response:
                    while True:
                        piece = response.read1(65536)
                        if not piece:
                            return
                        offset += len(piece)
                        yield piece
            except LOST:
                pass
            except Rejected as error:
                if error.status < 500:
                    raise
            time.sleep(1)

    # --- events ---

    def events(self, job=None, after=None):
        """Yields events as they happen; after a lost connection none is missing or repeated.

        `after` is the ID of the last known event; 0 begins with the oldest one, None with new ones.
        """
        last = after
        while True:
            headers = {"Accept": "text/event-stream"}
            if last is not None:
                headers["Last-Event-ID"] = str(last)
            query = "?job=" + quote(job) if job else ""
            try:
                # The server sends at least an ID every 15 s, so a minute without a byte is an outage.
                with self.open("GET", "/api/v3/events" + query, headers=headers, timeout=60) as stream:
                    data = None
                    for line in stream:
                        line = line.decode().rstrip("\r\n")
                        if line.startswith("id:"):
                            last = line[3:].strip()
                        elif line.startswith("data:"):
                            data = line[5:].strip()
                        elif not line and data:
                            event, data = json.loads(data), None
                            if "type" in event:
                                yield event
            except LOST:
                pass
            except Rejected as error:
                if error.status < 500:
                    raise
            time.sleep(1)


def quote(text):
    return urllib.parse.quote(text, safe="~")


def retrying(action, tries=30):
    """Repeats a read while the server restarts."""
    for left in range(tries, -1, -1):
        try:
            return action()
        except (*LOST, Rejected) as error:
            if left == 0 or isinstance(error, Rejected) and error.status < 500:
                raise
            time.sleep(1)


def main():
    client = Client(os.environ["TRAINYARD_SERVER"], os.environ.get("TRAINYARD_TOKEN"))
    if not client.token:
        client.sign_in(os.environ["TRAINYARD_USER"], os.environ["TRAINYARD_PASSWORD"])
    with open(sys.argv[1], "rb") as file:
        submitted = client.submit(file.read())
    job = submitted["id"]
    for warning in submitted["warnings"]:
        print("warning: " + warning["message"], file=sys.stderr)
    for event in client.events(job, after=0):
        print("%s: %s" % (submitted["name"], event["message"]), file=sys.stderr)
        if event["type"] in FINISHED:
            break
    finished = client.wait(job)
    for task in finished["tasks"]:
        for piece in client.log(job, task["role"], task["index"]):
            sys.stdout.buffer.write(piece)
    sys.stdout.flush()
    code = finished["exitCode"]
    return code if code is not None else 0 if finished["state"] == "SUCCEEDED" else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Rejected, OSError) as error:
        sys.exit("client.py: %s" % error)
