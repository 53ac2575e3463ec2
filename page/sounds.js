// Short sounds made of waves; silent until the browser allows sound.

let context;
let volume = 0.5;

export function setVolume(value) { volume = value; }

/** Browsers allow sound only after the first touch or key; until then everything is silent. */
export function allowSound() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

/** Each is a list of [wave, from Hz, to Hz, start s, length s]. */
const tunes = {
  jump: [["sine", 330, 660, 0, 0.16]],
  doubleJump: [["sine", 440, 880, 0, 0.12], ["triangle", 660, 1320, 0.07, 0.18]],
  land: [["sine", 160, 90, 0, 0.09]],
  respawn: [["sawtooth", 300, 80, 0, 0.35]],
  count: [["triangle", 520, 520, 0, 0.09]],
  go: [["triangle", 780, 780, 0, 0.25]],
  success: [["triangle", 523, 523, 0, 0.16], ["triangle", 659, 659, 0.14, 0.16], ["triangle", 784, 1046, 0.28, 0.4]],
  fail: [["triangle", 330, 300, 0, 0.25], ["triangle", 247, 196, 0.22, 0.45]],
  choose: [["sine", 700, 900, 0, 0.08]],
};

export function play(name) {
  if (!context || context.state !== "running" || volume === 0) return;
  for (const [type, from, to, start, length] of tunes[name]) {
    const begin = context.currentTime + start;
    const wave = new OscillatorNode(context, { type, frequency: from });
    wave.frequency.exponentialRampToValueAtTime(to, begin + length);
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0.22 * volume, begin);
    gain.gain.exponentialRampToValueAtTime(0.001, begin + length);
    wave.connect(gain).connect(context.destination);
    wave.start(begin);
    wave.stop(begin + length);
  }
}
