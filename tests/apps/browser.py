"""A headless Chromium, spoken to over its debugging pipe: no package beside the browser is needed."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
TIMEOUT = 60  # [s]


def find():
    """The browser's path, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page. `errors` has what its console complained of since it was opened."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="stiction_browser_", ignore_cleanup_errors=True)
        to_child, self.output = os.pipe()
        self.input, from_child = os.pipe()

        def pipes():  # the browser reads from 3 and writes to 4
            read, write = os.dup(to_child), os.dup(from_child)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-background-networking", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder.name}", "about:blank"],
            preexec_fn=pipes, pass_fds=(3, 4), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "HOME": self.folder.name})
        os.close(to_child)
        os.close(from_child)
        self.buffer, self.number, self.errors, self.session = b"", 0, [], None
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log"]:
            self.call(domain + ".enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.input)
        os.close(self.output)
        self.folder.cleanup()

    def receive(self, deadline):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.input], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.input, 1 << 20)
            if not data:
                raise RuntimeError("the browser has ended")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(message)
        method, content = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = content["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded" and content["entry"]["level"] == "error":
            self.errors.append(content["entry"]["text"] + " " + content["entry"].get("url", ""))
        elif method == "Runtime.consoleAPICalled" and content["type"] in ("error", "assert"):
            self.errors.append(str([a.get("value", a.get("description")) for a in content["args"]]))
        return message

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + TIMEOUT
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, address, width, height=900, dark=False):
        """Goes there and waits for all of it; the seconds that took."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.go("about:blank")  # else an address with another anchor would be the same page
        self.errors.clear()
        start = time.monotonic()
        self.go(address)
        return time.monotonic() - start

    def go(self, address):
        self.call("Page.navigate", url=address)
        deadline = time.monotonic() + TIMEOUT
        while not self.evaluate(f"location.href === {json.dumps(address)} && document.readyState === 'complete'"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{address} does not load")
            time.sleep(0.005)

    def evaluate(self, expression):
        """The value of a JavaScript expression; promises are waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def settle(self):
        """After the page has been laid out twice."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def overflow(self):
        """Pixels by which the page is wider than the window."""
        return self.evaluate("document.documentElement.scrollWidth - innerWidth")

    def screenshot(self, file, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(file, "wb") as output:
            output.write(base64.b64decode(data))

    def mouse(self, kind, x, y, button="none"):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=int(button == "left"),
                  clickCount=1)
