// The one connection to the service: JSON messages both ways, pictures this way. It comes back by itself, to the next
// service too.

/** First and longest wait before another try, ms. */
const retry = { first: 500, longest: 4000 };

export class Connection extends EventTarget {
  #socket;
  #wait = retry.first;
  /** What every run's token follows from; known once a service has let this page in. */
  #key;
  /** The address's secret part. */
  #token = location.pathname.split("/")[1];
  #lastToken;

  isOpen = false;
  /** Whether the service was started anew since this page was last connected: nothing of before goes on. */
  isNewRun = false;

  constructor() {
    super();
    this.#open();
  }

  send(type, fields = {}) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ type, ...fields }));
  }

  /**
   * Hears messages of a type. Besides the service's: `unit` and `points`, the binary ones; `open`, `closed`; and `away`
   * before each wait, with `seconds` and whether a service is there that lets this page not in.
   */
  on(type, listener, signal) {
    this.addEventListener(type, (event) => listener(event.detail), { signal });
  }

  #open() {
    const socket = new WebSocket(new URL(`/${this.#token}/ws`, location.href.replace(/^http/, "ws")));
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      this.#wait = retry.first;
      this.isNewRun = this.#lastToken !== undefined && this.#lastToken !== this.#token;
      this.#lastToken = this.#token;
      // So that the page can be loaded again, too.
      history.replaceState(null, "", `/${this.#token}/`);
      this.isOpen = true;
      this.#tell("open");
    });
    socket.addEventListener("message", ({ data }) => {
      if (typeof data !== "string") return this.#tellBinary(data);
      const message = JSON.parse(data);
      if (message.type === "hello") this.#key ??= message.key;
      this.#tell(message.type, message);
    });
    socket.addEventListener("close", () => {
      const wasOpen = this.isOpen;
      this.isOpen = false;
      if (wasOpen) this.#tell("closed");
      this.#waitAndTry({ isRefused: !wasOpen && this.#key !== undefined });
    });
    this.#socket = socket;
  }

  #waitAndTry({ isRefused }) {
    this.#tell("away", { seconds: this.#wait / 1000, isRefused });
    setTimeout(() => this.#try(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, retry.longest);
  }

  async #try() {
    try {
      if (this.#key) this.#token = await findToken(this.#key);
    } catch {
      return this.#waitAndTry({ isRefused: false });
    }
    this.#open();
  }

  /** Twelve bytes, little-endian: uint8 kind, uint8 flags, uint16 stream, int64 time; then what the kind says. */
  #tellBinary(data) {
    if (data.byteLength < 12) return;
    const view = new DataView(data);
    const time = Number(view.getBigInt64(4, true));
    switch (view.getUint8(0)) {
      case 1: {
        const isKeyFrame = (view.getUint8(1) & 1) !== 0;
        return this.#tell("unit", { isKeyFrame, stream: view.getUint16(2, true), time, bytes: new Uint8Array(data, 12) });
      }
      case 2:
        return this.#tell("points", { time, points: new Int16Array(data.slice(12)), scale: 16384 });
    }
  }

  #tell(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }
}

/** The token of the run that listens now. Whoever that is gets nothing that opens another run; see docs/protocol.md. */
async function findToken(key) {
  const run = (await (await fetch("/run", { signal: AbortSignal.timeout(retry.longest) })).text()).trim();
  if (!/^[0-9a-f]{32}$/.test(run)) throw new Error("this is not faceplay");
  const algorithm = { name: "HMAC", hash: "SHA-1" };
  const hmac = await crypto.subtle.importKey("raw", bytes(key), algorithm, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", hmac, bytes(run)));
  return [...mac.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const bytes = (hexadecimal) => Uint8Array.from(hexadecimal.match(/../g), (digits) => parseInt(digits, 16));
