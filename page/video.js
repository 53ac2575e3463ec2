// The player's picture: H.264 access units through WebCodecs onto any number of canvases.

export const canShowVideo = "VideoDecoder" in globalThis;

export class Video extends EventTarget {
  #connection;
  #decoder;
  #format;
  #stream;
  #needsKeyFrame = true;
  #canvases = new Set();
  #newest = null;

  constructor(connection) {
    super();
    this.#connection = connection;
    connection.on("video", (message) => this.#begin(message));
    connection.on("unit", (unit) => this.#take(unit));
    connection.on("open", () => this.#subscribe());
    // No picture of an earlier session is ever shown.
    connection.on("closed", () => this.#forget());
  }

  /** Shows the picture on a canvas until it leaves the page or `hide` is called. */
  show(canvas) {
    this.#canvases.add(canvas);
    this.#subscribe();
    return () => {
      this.#canvases.delete(canvas);
      this.#subscribe();
    };
  }

  get isShowing() { return this.#newest !== null; }

  #subscribe() {
    for (const canvas of this.#canvases) if (!canvas.isConnected && canvas.width > 1) this.#canvases.delete(canvas);
    this.#connection.send("video", { on: canShowVideo && this.#canvases.size > 0 && !document.hidden });
    if (this.#canvases.size === 0) this.#forget();
  }

  resubscribe() { this.#subscribe(); }

  #forget() {
    this.#newest = null;
    // What is still being decoded is of before, too.
    this.#restart();
    this.#format = undefined;
    for (const canvas of this.#canvases) canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
    this.dispatchEvent(new Event("change"));
  }

  #begin({ video, stream }) {
    [this.#format, this.#stream] = [video, stream];
    this.#restart();
  }

  #restart() {
    if (this.#decoder && this.#decoder.state !== "closed") this.#decoder.close();
    this.#decoder = undefined;
    this.#needsKeyFrame = true;
  }

  #makeDecoder() {
    const decoder = new VideoDecoder({
      output: (frame) => this.#draw(frame),
      // A damaged unit: a new decoder at the next key frame.
      error: () => this.#restart(),
    });
    decoder.configure({ codec: this.#format.codec, optimizeForLatency: true });
    return decoder;
  }

  #take({ stream, isKeyFrame, time, bytes }) {
    // Units of another format, or of before the last.
    if (!canShowVideo || !this.#format || stream !== this.#stream) return;
    if (this.#needsKeyFrame && !isKeyFrame) return;
    this.#needsKeyFrame = false;
    this.#decoder ??= this.#makeDecoder();
    this.#decoder.decode(new EncodedVideoChunk({ type: isKeyFrame ? "key" : "delta", timestamp: time / 1000, data: bytes }));
  }

  #draw(frame) {
    const isFirst = this.#newest === null;
    this.#newest = frame.timestamp;
    for (const canvas of this.#canvases) {
      if (canvas.width !== frame.displayWidth || canvas.height !== frame.displayHeight) {
        [canvas.width, canvas.height] = [frame.displayWidth, frame.displayHeight];
      }
      canvas.getContext("2d").drawImage(frame, 0, 0);
    }
    frame.close();
    if (isFirst) this.dispatchEvent(new Event("change"));
  }
}
