// The running game on a canvas. It shows what the service says and knows no rules.
import { disc, drawCharacter } from "./characters.js";
import { fitCanvas, isCalm } from "./drawing.js";
import { drawStars, sequence } from "./sky.js";

/** Points of the world seen from bottom to top: the engine's camera. */
const viewHeight = 520;

export class GameView {
  #canvas;
  #level;
  #snapshots = [];
  #stars;
  #effects = [];
  #character = "nova";
  #face = { roll: 0, purse: 0 };
  #request;

  constructor(canvas) {
    this.#canvas = canvas;
    const random = sequence(23);
    this.#stars = Array.from({ length: 110 }, () => ({
      x: random(), y: random(), depth: 0.15 + 0.85 * random(), phase: 6.28 * random(),
    }));
  }

  set level(level) {
    this.#level = level;
    this.#snapshots = [];
    this.#effects = [];
  }
  set character(name) { this.#character = name; }
  /** What the player's face does now: the character does it too. */
  set face(signals) { this.#face = signals; }

  /** Takes a world message; draws at the display's rate while shown. */
  show(world, now = performance.now()) {
    const last = this.#snapshots.at(-1)?.world;
    if (last && world.tick < last.tick) this.#snapshots = [];
    if (last) this.#notice(last, world, now);
    this.#snapshots.push({ world, at: now });
    if (this.#snapshots.length > 4) this.#snapshots.shift();
    this.#request ??= requestAnimationFrame((time) => this.#frame(time));
  }

  stop() {
    cancelAnimationFrame(this.#request);
    this.#request = undefined;
  }

  #frame(now) {
    this.#request = undefined;
    // A new level has forgotten what there was to show.
    if (!this.#canvas.isConnected || this.#snapshots.length === 0) return;
    this.draw(now);
    // Nothing moves for long after the last message: an idle page draws nothing.
    if (now - this.#snapshots.at(-1).at < 500) this.#request = requestAnimationFrame((time) => this.#frame(time));
  }

  /** Between the last two snapshots, one interval late: smooth at any display rate. */
  #world(now) {
    const [before, after] = this.#snapshots.slice(-2);
    if (!after) return before.world;
    const interval = Math.min(Math.max(after.at - before.at, 1), 100);
    const share = Math.min((now - after.at) / interval, 1);
    const mix = (a, b) => a + (b - a) * share;
    const jumped = Math.abs(after.world.players[0].y - before.world.players[0].y) > 200;
    if (jumped) return after.world;
    return {
      ...after.world,
      camera: mix(before.world.camera, after.world.camera),
      monster: mix(before.world.monster, after.world.monster),
      players: after.world.players.map((player, index) => {
        const old = before.world.players[index] ?? player;
        return { ...player, x: mix(old.x, player.x), y: mix(old.y, player.y) };
      }),
    };
  }

  #notice(before, after, now) {
    after.players.forEach((player, index) => {
      const old = before.players[index];
      if (!old) return;
      if (player.jumpedAt > old.jumpedAt) {
        this.#effects.push({ kind: player.isDoubleJumping ? "ring" : "dust", x: old.x, y: old.y, at: now });
      }
      if (player.landedAt > old.landedAt && !old.isStanding) this.#effects.push({ kind: "dust", x: player.x, y: player.y, at: now });
      if (player.respawns > old.respawns) this.#effects.push({ kind: "ring", x: player.x, y: player.y + 24, at: now });
    });
    this.#effects = this.#effects.filter((effect) => now - effect.at < 700);
  }

  draw(now = performance.now()) {
    const { context, width, height } = fitCanvas(this.#canvas);
    if (!this.#level || this.#snapshots.length === 0 || width === 0) return;
    const world = this.#world(now);
    const seconds = isCalm() ? 0 : now / 1000;
    const scale = Math.min(height / viewHeight, width / (2 * this.#level.halfWidth + 40));
    this.#drawSpace(context, width, height, world, seconds);
    context.save();
    context.translate(width / 2, height + world.camera * scale);
    context.scale(scale, scale);
    const seen = { bottom: world.camera - 60, top: world.camera + height / scale + 60 };
    this.#drawWalls(context, seen);
    this.#level.platforms.forEach((platform, index) => {
      if (platform.top < seen.bottom || platform.top > seen.top) return;
      const isGoal = index === this.#level.platforms.length - 1;
      this.#drawPlatform(context, platform, { isSafe: index === world.players[0].safePlatform, isGoal, index });
      if (isGoal) drawShip(context, platform.x, -platform.top, seconds, world.outcome?.verdict === "success");
    });
    for (const effect of this.#effects) drawEffect(context, effect, (now - effect.at) / 700);
    world.players.forEach((player, index) => this.#drawPlayer(context, player, index, seconds));
    this.#drawMonster(context, world, seen, seconds);
    context.restore();
  }

  #drawSpace(context, width, height, world, seconds) {
    const climbed = Math.min(world.camera / (this.#level.platforms.at(-1).top || 1), 1);
    const sky = context.createLinearGradient(0, 0, 0, height);
    sky.addColorStop(0, `hsl(${252 + 40 * climbed} 62% ${9 + 3 * climbed}%)`);
    sky.addColorStop(1, `hsl(${226 + 30 * climbed} 55% 15%)`);
    context.fillStyle = sky;
    context.fillRect(0, 0, width, height);
    drawStars(context, this.#stars, width, height, seconds, world.camera / 2600);
    // A planet that sinks as one climbs.
    const planet = { x: width * 0.8, y: height * (0.25 + 0.7 * climbed), radius: Math.min(width, height) * 0.13 };
    const light = context.createRadialGradient(
      planet.x - planet.radius * 0.4, planet.y - planet.radius * 0.4, 0, planet.x, planet.y, planet.radius);
    light.addColorStop(0, "#7c6bd6");
    light.addColorStop(1, "#241a56");
    disc(context, planet.x, planet.y, planet.radius, light);
    context.beginPath();
    context.ellipse(planet.x, planet.y, planet.radius * 1.6, planet.radius * 0.32, -0.35, 0, 2 * Math.PI);
    context.strokeStyle = "rgb(255 212 121 / 35%)";
    context.lineWidth = planet.radius * 0.09;
    context.stroke();
  }

  #drawWalls(context, seen) {
    const edge = this.#level.halfWidth;
    for (const side of [-1, 1]) {
      const glow = context.createLinearGradient(side * edge, 0, side * (edge + 24), 0);
      glow.addColorStop(0, "rgb(157 140 255 / 45%)");
      glow.addColorStop(1, "rgb(157 140 255 / 0%)");
      context.fillStyle = glow;
      context.fillRect(side > 0 ? edge : -edge - 24, -seen.top, 24, seen.top - seen.bottom);
    }
  }

  #drawPlatform(context, platform, { isSafe, isGoal, index }) {
    const { x, top, width } = platform;
    const [left, thickness] = [x - width / 2, 16];
    context.beginPath();
    context.moveTo(left + 6, -top);
    context.lineTo(left + width - 6, -top);
    context.quadraticCurveTo(left + width, -top, left + width, -top + 7);
    // Rock below, a little different each time.
    const random = sequence(index + 1);
    const steps = Math.max(3, Math.round(width / 26));
    for (let step = steps; step >= 0; step--) {
      context.lineTo(left + (width * step) / steps, -top + thickness * (0.75 + 0.6 * random()));
    }
    context.lineTo(left, -top + 7);
    context.quadraticCurveTo(left, -top, left + 6, -top);
    const rock = context.createLinearGradient(0, -top, 0, -top + thickness * 1.4);
    rock.addColorStop(0, isGoal ? "#8a6c2a" : "#5e52a8");
    rock.addColorStop(1, "#2b2160");
    context.fillStyle = rock;
    context.fill();
    context.beginPath();
    context.roundRect(left, -top, width, 5, 3);
    context.fillStyle = isGoal ? "#ffd479" : isSafe ? "#55efc4" : "#b6aaff";
    context.fill();
  }

  #drawPlayer(context, player, index, seconds) {
    if (player.isInvulnerable && Math.floor(seconds * 10) % 2 === 0 && !isCalm()) return;
    context.save();
    context.translate(player.x, -player.y);
    context.globalAlpha = index === 0 ? (player.isInvulnerable ? 0.75 : 1) : 0.5;
    const stretch = player.isStanding ? 1 : 1 + Math.max(-0.12, Math.min(0.16, player.vy / 4500));
    drawCharacter(context, this.#character, 54, {
      lean: (index === 0 ? this.#face.roll / 60 : 0) * 0.9,
      stretch,
      pursed: index === 0 ? this.#face.purse : 0,
      look: Math.max(-1, Math.min(1, player.vx / 200)),
      blink: seconds % 3.7 > 3.58,
    });
    if (player.respawnProgress > 0.15) {
      context.beginPath();
      context.arc(0, -70, 12, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * player.respawnProgress);
      context.strokeStyle = "#ffd479";
      context.lineWidth = 4;
      context.stroke();
    }
    context.restore();
  }

  #drawMonster(context, world, seen, seconds) {
    const top = world.monster, edge = this.#level.halfWidth + 24;
    if (top < seen.bottom) return;
    context.beginPath();
    context.moveTo(-edge, -seen.bottom);
    for (let x = -edge; x <= edge; x += 6) {
      context.lineTo(x, -top + 5 * Math.sin(x / 21 + seconds * 2.4) + 3 * Math.sin(x / 9 - seconds * 3.1));
    }
    context.lineTo(edge, -seen.bottom);
    const slime = context.createLinearGradient(0, -top, 0, -top + 130);
    slime.addColorStop(0, "#ff6f91");
    slime.addColorStop(0.12, "#c2366b");
    slime.addColorStop(1, "#4a0f3c");
    context.fillStyle = slime;
    context.fill();
    const target = world.players[0];
    for (const eye of [-70, 70]) {
      const y = -top + 34 + 3 * Math.sin(seconds * 2 + eye);
      disc(context, eye, y, 17, "#fff");
      const angle = Math.atan2(-target.y - y, target.x - eye);
      disc(context, eye + 7 * Math.cos(angle), y + 7 * Math.sin(angle), 8, "#2a0a22");
    }
    context.beginPath();
    for (let tooth = 0; tooth < 5; tooth++) {
      const x = -30 + tooth * 12;
      context.moveTo(x, -top + 60);
      context.lineTo(x + 12, -top + 60);
      context.lineTo(x + 6, -top + 73);
    }
    context.fillStyle = "#fff";
    context.fill();
  }
}

/** The spaceship at the goal; it lights its engine when the player is there. */
export function drawShip(context, x, y, seconds, isLeaving) {
  context.save();
  context.translate(x, y - 6 - 2 * Math.sin(seconds * 1.7));
  if (isLeaving) {
    const flame = 26 + 8 * Math.sin(seconds * 30);
    context.beginPath();
    context.moveTo(-14, 0);
    context.lineTo(0, flame);
    context.lineTo(14, 0);
    context.fillStyle = "#ffd479";
    context.fill();
  }
  for (const side of [-1, 1]) {
    context.beginPath();
    context.moveTo(side * 20, -34);
    context.lineTo(side * 46, -2);
    context.lineTo(side * 16, -8);
    context.fillStyle = "#ff8fa9";
    context.fill();
  }
  context.beginPath();
  context.moveTo(0, -98);
  context.bezierCurveTo(34, -70, 30, -20, 16, 0);
  context.lineTo(-16, 0);
  context.bezierCurveTo(-30, -20, -34, -70, 0, -98);
  const hull = context.createLinearGradient(-30, 0, 30, 0);
  hull.addColorStop(0, "#ffffff");
  hull.addColorStop(1, "#a99ee8");
  context.fillStyle = hull;
  context.fill();
  disc(context, 0, -58, 13, "#1b1440");
  disc(context, 0, -58, 10, "#6ff3d3");
  disc(context, -3, -62, 3, "#fff");
  context.restore();
}

function drawEffect(context, effect, share) {
  if (share > 1) return;
  context.globalAlpha = 1 - share;
  if (effect.kind === "ring") {
    context.beginPath();
    context.ellipse(effect.x, -effect.y, 12 + 40 * share, 5 + 14 * share, 0, 0, 2 * Math.PI);
    context.strokeStyle = "#55efc4";
    context.lineWidth = 3;
    context.stroke();
  } else {
    for (const side of [-1, 1]) {
      for (const speed of [14, 24]) {
        disc(context, effect.x + side * speed * (0.4 + share), -effect.y - 8 * share, 3 * (1 - share), "#e6e0ff");
      }
    }
  }
  context.globalAlpha = 1;
}
