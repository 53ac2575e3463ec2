// The one connection to the service: JSON messages both ways, pictures this way. It comes back by itself.

/** First and longest wait before another try, ms. */
const retry = { first: 300, longest: 3000 };

export class Connection extends EventTarget {
  #socket;
  #wait = retry.first;

  isOpen = false;

  constructor() {
    super();
    this.#open();
  }

  send(type, fields = {}) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ type, ...fields }));
  }

  /** Hears messages of a type; binary ones are the types `unit` and `points`. */
  on(type, listener, signal) {
    this.addEventListener(type, (event) => listener(event.detail), { signal });
  }

  #open() {
    const socket = new WebSocket(new URL("ws", location.href.replace(/^http/, "ws")));
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      this.#wait = retry.first;
      this.#tell("open");
    });
    socket.addEventListener("message", ({ data }) => {
      if (typeof data !== "string") return this.#tellBinary(data);
      const message = JSON.parse(data);
      this.#tell(message.type, message);
    });
    socket.addEventListener("close", ({ code }) => {
      if (this.isOpen) this.#tell("closed", { code });
      setTimeout(() => this.#open(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, retry.longest);
    });
    this.#socket = socket;
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

  #tell(type, detail) {
    if (type === "open") this.isOpen = true;
    if (type === "closed") this.isOpen = false;
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
