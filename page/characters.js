// The climbers, drawn in code: each a round body that tilts with the player's head and purses with the player's lips.

export const characters = {
  nova: { body: "#9d8cff", dark: "#6450d8", ears: "cat", cheek: "#ff8fa9" },
  luna: { body: "#fff1f7", dark: "#e6b9d3", ears: "rabbit", cheek: "#ff9fc0" },
  momo: { body: "#ff9f7a", dark: "#e06a4c", ears: "tentacles", cheek: "#ffd479" },
  pico: { body: "#55efc4", dark: "#1fae8c", ears: "antenna", cheek: "#fff" },
};

/**
 * Draws a character standing with its feet at (0, 0), y down, `size` high.
 * pose: { lean (radians, positive to the right as drawn), stretch (1 at rest), pursed (0…1), look (−1…1), blink }
 */
export function drawCharacter(context, name, size, pose = {}) {
  const { lean = 0, stretch = 1, pursed = 0, look = 0, blink = false } = pose;
  const style = characters[name] ?? characters.nova;
  const radius = size * 0.42;
  context.save();
  context.scale(1 / Math.sqrt(stretch), stretch);
  drawFeet(context, style, size);
  context.translate(0, -size * 0.52);
  context.rotate(lean);
  drawEars(context, style, radius);
  const gradient = context.createRadialGradient(-radius * 0.35, -radius * 0.45, radius * 0.1, 0, 0, radius * 1.15);
  gradient.addColorStop(0, "#ffffff");
  gradient.addColorStop(0.25, style.body);
  gradient.addColorStop(1, style.dark);
  disc(context, 0, 0, radius, gradient);
  drawFace(context, style, radius, { pursed, look, blink });
  context.restore();
}

function drawFeet(context, style, size) {
  for (const side of [-1, 1]) {
    context.beginPath();
    context.ellipse(side * size * 0.17, -size * 0.06, size * 0.13, size * 0.08, 0, 0, 2 * Math.PI);
    context.fillStyle = style.dark;
    context.fill();
  }
}

function drawEars(context, style, radius) {
  context.fillStyle = style.dark;
  context.strokeStyle = style.dark;
  for (const side of [-1, 1]) {
    context.beginPath();
    switch (style.ears) {
      case "cat":
        context.moveTo(side * radius * 0.95, -radius * 0.25);
        context.lineTo(side * radius * 0.82, -radius * 1.32);
        context.lineTo(side * radius * 0.15, -radius * 0.85);
        context.fill();
        break;
      case "rabbit":
        context.ellipse(side * radius * 0.42, -radius * 1.3, radius * 0.22, radius * 0.62, side * 0.18, 0, 2 * Math.PI);
        context.fill();
        break;
      case "tentacles":
        context.ellipse(side * radius * 0.75, radius * 0.75, radius * 0.3, radius * 0.42, side * -0.5, 0, 2 * Math.PI);
        context.fill();
        break;
      case "antenna":
        context.lineWidth = radius * 0.12;
        context.moveTo(side * radius * 0.35, -radius * 0.8);
        context.lineTo(side * radius * 0.6, -radius * 1.4);
        context.stroke();
        disc(context, side * radius * 0.6, -radius * 1.45, radius * 0.17, "#ffd479");
        break;
    }
  }
}

function drawFace(context, style, radius, { pursed, look, blink }) {
  context.fillStyle = style.cheek;
  context.globalAlpha = 0.7;
  for (const side of [-1, 1]) {
    context.beginPath();
    context.ellipse(side * radius * 0.58, radius * 0.22, radius * 0.17, radius * 0.11, 0, 0, 2 * Math.PI);
    context.fill();
  }
  context.globalAlpha = 1;
  for (const side of [-1, 1]) {
    const x = side * radius * 0.34 + look * radius * 0.12;
    if (blink) {
      context.fillStyle = "#1b1440";
      context.fillRect(x - radius * 0.14, -radius * 0.12, radius * 0.28, radius * 0.06);
      continue;
    }
    disc(context, x, -radius * 0.1, radius * 0.19, "#1b1440");
    disc(context, x - radius * 0.06, -radius * 0.17, radius * 0.07, "#fff");
  }
  context.beginPath();
  const mouth = look * radius * 0.1;
  if (pursed > 0.3) {
    context.ellipse(mouth, radius * 0.4, radius * 0.11, radius * 0.14, 0, 0, 2 * Math.PI);
    context.fillStyle = "#b3264f";
    context.fill();
  } else {
    context.arc(mouth, radius * 0.27, radius * 0.2, 0.15 * Math.PI, 0.85 * Math.PI);
    context.lineWidth = radius * 0.08;
    context.lineCap = "round";
    context.strokeStyle = "#1b1440";
    context.stroke();
  }
}

export function disc(context, x, y, radius, fill) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
}
