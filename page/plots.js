// The last seconds of roll and purse, with the thresholds they are judged by.
import { fitCanvas } from "./drawing.js";

/** Seconds from the left to the right edge. */
const span = 8;

/** CSS pixels from one label to the next below it. */
const labelHeight = 15;

export class SignalPlot {
  #canvas;
  #points = [];
  #color;
  /** [lowest, highest] value shown. */
  range;
  /** [{ value, color, label, isFaint }] */
  lines = [];

  constructor(canvas, range, color) {
    this.#canvas = canvas;
    this.range = range;
    this.#color = color;
  }

  /** `value` is undefined without a face. */
  add(value, isActive, seconds) {
    // Another run of the service counts from its own start.
    if (this.#points.at(-1)?.seconds > seconds) this.#points = [];
    this.#points.push({ value, isActive, seconds });
    while (this.#points[0].seconds < seconds - span) this.#points.shift();
    this.#draw(seconds);
  }

  #draw(now) {
    const { context, width: whole, height } = fitCanvas(this.#canvas);
    context.clearRect(0, 0, whole, height);
    const [low, high] = this.range;
    context.font = "13px system-ui, sans-serif";
    // Labels stand beside the curve, not in it.
    const width = whole - 10 - Math.max(...this.lines.map((line) => context.measureText(line.label ?? "").width), 0);
    const x = (seconds) => width * (1 - (now - seconds) / span);
    const y = (value) => height * (1 - (Math.min(Math.max(value, low), high) - low) / (high - low));
    context.fillStyle = "rgb(255 212 121 / 30%)";
    this.#points.forEach((point, index) => {
      const next = this.#points[index + 1];
      if (!point.isActive || !next) return;
      const [left, right] = [Math.floor(x(point.seconds)), Math.floor(x(next.seconds))];
      context.fillRect(left, 0, right - left, height);
    });
    for (const line of this.lines) {
      context.strokeStyle = line.color;
      context.lineWidth = 1;
      context.setLineDash(line.isFaint ? [3, 5] : [7, 4]);
      context.beginPath();
      context.moveTo(0, y(line.value));
      context.lineTo(width, y(line.value));
      context.stroke();
    }
    context.setLineDash([]);
    this.#drawLabels(context, width + 6, y, height);
    context.strokeStyle = this.#color;
    context.lineWidth = 2.5;
    context.lineJoin = "round";
    context.beginPath();
    let isDown = false;
    for (const point of this.#points) {
      if (point.value === undefined) { isDown = false; continue; }
      if (isDown) context.lineTo(x(point.seconds), y(point.value));
      else context.moveTo(x(point.seconds), y(point.value));
      isDown = true;
    }
    context.stroke();
  }

  /** Each at its line, or as near as the others leave room. */
  #drawLabels(context, x, y, height) {
    const labels = this.lines.filter((line) => line.label)
      .map(({ value, color, label }) => ({ color, label, middle: y(value) }))
      .sort((a, b) => a.middle - b.middle);
    let least = labelHeight / 2;
    for (const label of labels) least = labelHeight + (label.middle = Math.max(label.middle, least));
    let most = height - labelHeight / 2;
    for (const label of labels.toReversed()) most = (label.middle = Math.min(label.middle, most)) - labelHeight;
    context.textBaseline = "middle";
    for (const { color, label, middle } of labels) {
      context.fillStyle = color;
      context.fillText(label, x, middle);
    }
  }
}

/** Meters for calibration: roll swings from the middle, purse fills from the left. */
export function drawRollMeter(canvas, roll, greatest = 45) {
  const { context, width, height } = fitCanvas(canvas);
  context.clearRect(0, 0, width, height);
  context.fillStyle = "rgb(157 140 255 / 35%)";
  context.fillRect(width / 2 - 1, 0, 2, height);
  if (roll === undefined) return;
  const end = (Math.min(Math.max(roll / greatest, -1), 1) * width) / 2;
  context.fillStyle = "#55efc4";
  context.fillRect(width / 2 + Math.min(end, 0), 3, Math.abs(end), height - 6);
}

export function drawPurseMeter(canvas, purse) {
  const { context, width, height } = fitCanvas(canvas);
  context.clearRect(0, 0, width, height);
  if (purse === undefined) return;
  context.fillStyle = "#ff8fa9";
  context.fillRect(0, 3, width * purse, height - 6);
}
