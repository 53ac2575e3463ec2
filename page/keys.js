// The game by keyboard: arrows or A and D steer; space, up or W jumps; Escape or P pauses and goes on.

/** ms between saying again which key is down: the service lets go 200 ms after the last word. */
const renewal = 100;

// By their places, so that they are the same in any keyboard layout.
const directions = { ArrowLeft: -1, KeyA: -1, ArrowRight: 1, KeyD: 1 };
const jumps = ["Space", "ArrowUp", "KeyW"];
const pauses = ["Escape", "KeyP"];

/** `isPlaying`: whether the keys steer and jump now. `steer` takes −1, 0 or 1. Ends with `signal`. */
export function playByKeys({ isPlaying, steer, jump, pause }, signal) {
  const held = new Set();
  let told = 0;
  const tell = () => {
    const value = isPlaying() ? Math.sign([...held].reduce((sum, code) => sum + directions[code], 0)) : 0;
    if (value !== 0 || told !== 0) steer(value);
    told = value;
  };
  const letGo = () => {
    held.clear();
    tell();
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (pauses.includes(event.code)) return event.repeat || pause();
    // Space on a button presses it.
    const isDirection = event.code in directions;
    // A key that is down before play steers from its first moment.
    if (isDirection) held.add(event.code);
    if (!isPlaying() || (event.code === "Space" && event.target.closest("button"))) return;
    if (!isDirection && !jumps.includes(event.code)) return;
    if (!isDirection && !event.repeat) jump();
    event.preventDefault();
    tell();
  }, { signal });
  addEventListener("keyup", ({ code }) => { if (held.delete(code)) tell(); }, { signal });
  addEventListener("blur", letGo, { signal });
  const timer = setInterval(tell, renewal);
  signal.addEventListener("abort", () => clearInterval(timer));
}
