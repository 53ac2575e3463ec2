// Stars behind everything; they drift unless the player asks for less motion.
import { fitCanvas, isCalm } from "./drawing.js";

export function startSky(canvas) {
  const random = sequence(7);
  const stars = Array.from({ length: 170 }, () => ({
    x: random(), y: random(), depth: 0.2 + 0.8 * random(), phase: 6.28 * random(),
  }));
  function draw(now) {
    const { context, width, height } = fitCanvas(canvas);
    const glow = context.createLinearGradient(0, 0, width, height);
    glow.addColorStop(0, "#0b0820");
    glow.addColorStop(0.55, "#1a1040");
    glow.addColorStop(1, "#0d1a38");
    context.fillStyle = glow;
    context.fillRect(0, 0, width, height);
    drawStars(context, stars, width, height, isCalm() ? 0 : now / 1000);
  }
  // A few pictures a second are enough for stars.
  draw(0);
  setInterval(() => { if (!document.hidden && !isCalm()) draw(performance.now()); }, 100);
  addEventListener("resize", () => draw(performance.now()));
}

export function drawStars(context, stars, width, height, seconds, rise = 0) {
  for (const star of stars) {
    const y = wrap(star.y + (seconds * 0.004 + rise) * star.depth);
    context.globalAlpha = 0.35 + 0.45 * star.depth * (0.75 + 0.25 * Math.sin(star.phase + seconds * 1.3));
    context.fillStyle = star.depth > 0.8 ? "#ffe9c4" : "#cfc7ff";
    const size = 0.8 + 1.6 * star.depth;
    context.fillRect(star.x * width, y * height, size, size);
  }
  context.globalAlpha = 1;
}

const wrap = (value) => value - Math.floor(value);

/** The same stars each time: a linear congruential sequence of 0…1 (constants of Numerical Recipes). */
export function sequence(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
