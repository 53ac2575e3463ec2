// The player's mirrored picture, with the landmarks that are followed.
import { element, fitCanvas } from "../drawing.js";
import { text } from "../texts.js";
import { canShowVideo } from "../video.js";

/** Leaves with the screen; `hasOverlay`: draws the landmarks, for the player to see what is seen. */
export function preview(app, signal, { hasOverlay = false } = {}) {
  const picture = element("canvas", { role: "img", "aria-label": text("you"), width: 1, height: 1 });
  const overlay = element("canvas", { "aria-hidden": "true" });
  const none = element("p", { className: "none", textContent: text(canShowVideo ? "waitingForVideo" : "noVideo") });
  const box = element("div", { className: "preview" }, picture, overlay, none);
  const hide = app.video.show(picture);
  app.video.addEventListener("change", () => { none.hidden = app.video.isShowing; }, { signal });
  none.hidden = app.video.isShowing;
  signal.addEventListener("abort", hide);
  if (hasOverlay) {
    const ask = () => app.connection.send("landmarks", { on: true });
    ask();
    app.connection.on("open", ask, signal);
    app.connection.on("closed", () => overlay.getContext("2d").reset(), signal);
    app.connection.on("points", ({ points, scale }) => draw(overlay, picture, points, scale), signal);
    signal.addEventListener("abort", () => app.connection.send("landmarks", { on: false }));
  }
  return box;
}

/** `points`: x and y in turn; `unit` of them are the picture's width and height. */
function draw(overlay, picture, points, unit) {
  const { context, width, height } = fitCanvas(overlay);
  context.clearRect(0, 0, width, height);
  if (picture.width < 2) return;
  // As `object-fit: cover` places the picture.
  const scale = Math.max(width / picture.width, height / picture.height);
  const [across, down] = [(picture.width * scale) / unit, (picture.height * scale) / unit];
  const [left, top] = [(width - picture.width * scale) / 2, (height - picture.height * scale) / 2];
  context.fillStyle = "#55efc4";
  for (let index = 0; index + 1 < points.length; index += 2) {
    context.fillRect(left + points[index] * across - 1, top + points[index + 1] * down - 1, 2, 2);
  }
}
