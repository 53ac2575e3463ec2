// Settings with the test view: every slider's effect shows at once in the plots and in a small running game.
import { element } from "../drawing.js";
import { GameView } from "../game-view.js";
import { SignalPlot } from "../plots.js";
import { text } from "../texts.js";

export function settingsScreen(root, app, { signal }) {
  const settings = () => app.latest.settings?.settings ?? {};
  // A preset was calibrated for nobody.
  const isPreset = () => ["low", "medium", "high"].includes(settings().profile);
  const sensitivity = {
    ends: ["less", "more"],
    value: (value) => text(isPreset() ? "percentOfPreset" : "percent", { value }),
  };
  const saved = element("p", { role: "status", textContent: "" });
  const controls = [
    slider("tiltSensitivity", [0, 100], 5, () => settings().sensitivity?.tilt ?? 50, (tilt) => ({ sensitivity: { tilt } }), sensitivity),
    slider("purseSensitivity", [0, 100], 5, () => settings().sensitivity?.purse ?? 50, (purse) => ({ sensitivity: { purse } }), sensitivity),
    slider("curve", [1, 3], 0.25, () => settings().curve ?? 1.5, (curve) => ({ curve }), { ends: ["even", "fine"], value: (value) => value.toFixed(2) }),
    slider("volume", [0, 1], 0.1, () => settings().volume ?? 0.5, (volume) => ({ volume }), { value: (value) => `${Math.round(value * 100)} %` }),
    toggle("inverted", () => settings().isInverted ?? false, (isInverted) => ({ isInverted })),
    toggle("doubleJump", () => settings().allowsDouble ?? true, (allowsDouble) => ({ allowsDouble })),
    choice("pictureSize", ["small", "medium", "large"], () => settings().pictureSize ?? "medium", (pictureSize) => ({ pictureSize })),
  ];
  const stage = element("canvas", { role: "img", "aria-label": text("gameLabel") });
  const plots = [["rollPlot", [-45, 45], "#55efc4"], ["pursePlot", [0, 1], "#ff8fa9"]].map(([key, range, color]) => {
    const canvas = element("canvas", { className: "plot", role: "img", "aria-label": text(key) });
    return { canvas, key, plot: new SignalPlot(canvas, range, color) };
  });

  root.replaceChildren(
    element("h2", { textContent: text("settingsTitle") }),
    element("div", { className: "columns" },
      element("section", { className: "panel" }, ...controls.map((control) => control.node), saved),
      element("section", { className: "beside" },
        element("div", { className: "plots" }, ...plots.map(({ key, canvas }) =>
          element("div", { className: "panel" }, element("h3", { textContent: text(key) }), canvas))),
        element("div", { className: "panel" },
          element("h3", { textContent: text("testView") }),
          element("div", { className: "stage", style: "height: 260px; min-height: 0" }, stage)))));

  function change(fields) {
    app.change(fields);
    saved.textContent = "";
  }
  function drawLines() {
    const limits = settings().thresholds;
    if (!limits) return;
    const violet = "#9d8cff", gold = "#ffd479";
    const reach = 1.5 * Math.max(limits.tilt.left.full, limits.tilt.right.full);
    plots[0].plot.range = [-reach, reach];
    plots[0].plot.lines = [["left", -1], ["right", 1]].flatMap(([side, sign]) => [
      { value: sign * limits.tilt[side].begin, color: gold, label: text("begins") },
      { value: sign * limits.tilt[side].end, color: violet, isFaint: true },
      { value: sign * limits.tilt[side].full, color: gold, isFaint: true, label: text("fullSpeed") },
    ]);
    plots[1].plot.lines = [
      { value: limits.purse.begin, color: gold, label: text("begins") },
      { value: limits.purse.end, color: violet, isFaint: true, label: text("ends") },
    ];
  }

  const game = new GameView(stage);
  const refresh = () => {
    for (const control of controls) control.update();
    game.character = settings().character ?? "nova";
    drawLines();
  };
  app.connection.on("settings", () => {
    refresh();
    saved.textContent = text("saved");
  }, signal);
  let isTilted = false, isPursed = false;
  app.connection.on("event", (event) => {
    if (event.event === "tilt") isTilted = event.phase === "begin";
    if (event.event === "purse") isPursed = event.phase === "begin";
    if (event.event === "release") isTilted = isPursed = false;
  }, signal);
  app.connection.on("closed", () => { isTilted = isPursed = false; }, signal);
  app.connection.on("frame", (frame) => {
    plots[0].plot.add(frame.roll, isTilted, frame.t / 1e9);
    plots[1].plot.add(frame.purse, isPursed, frame.t / 1e9);
    game.face = { roll: frame.roll ?? 0, purse: frame.purse ?? 0 };
  }, signal);
  app.connection.on("level", ({ level }) => { game.level = level; }, signal);
  app.connection.on("world", ({ world }) => game.show(world), signal);
  const start = () => app.connection.send("game", { action: "start", level: "trial" });
  // A trial ends with the last page that is connected, and when another page begins a run.
  app.connection.on("hello", ({ controls }) => { if (controls) start(); }, signal);
  let controlled = app.controls;
  app.connection.on("control", ({ controls }) => {
    if (controls && !controlled) start();
    controlled = controls;
  }, signal);
  if (controlled) start();
  refresh();
  return () => {
    game.stop();
    if (app.controls) app.connection.send("game", { action: "quit" });
  };

  // The three kinds of control; each has a node and takes up what the service says.

  function slider(key, [low, high], step, value, fields, { ends, value: say }) {
    const input = element("input", { type: "range", className: "by-face", id: key, min: low, max: high, step, "data-step": step });
    const output = element("output", { for: key });
    input.addEventListener("input", () => { output.textContent = say(Number(input.value)); });
    input.addEventListener("change", () => change(fields(Number(input.value))));
    const node = element("div", { className: "setting" },
      element("label", { for: key }, text(key)), input,
      element("div", { className: "between" },
        ...(ends ? [element("span", { textContent: text(ends[0]) }), output, element("span", { textContent: text(ends[1]) })] : [output])));
    return {
      node,
      update() {
        // Not from under the player's finger.
        if (!input.matches(":active")) input.value = value();
        output.textContent = say(Number(input.value));
      },
    };
  }

  function toggle(key, value, fields) {
    const button = element("button", { type: "button", className: "by-face" });
    button.addEventListener("click", () => change(fields(!value())));
    return {
      node: element("div", { className: "setting" }, button),
      update() {
        button.textContent = `${text(key)}: ${text(value() ? "on" : "off")}`;
        button.ariaPressed = String(value());
      },
    };
  }

  function choice(key, names, value, fields) {
    const buttons = names.map((name) => {
      const button = element("button", { type: "button", className: "by-face", textContent: text(name) });
      button.addEventListener("click", () => change(fields(name)));
      return button;
    });
    return {
      node: element("div", { className: "setting", role: "group", "aria-label": text(key) },
        element("span", { textContent: text(key) }), element("div", { className: "row" }, ...buttons)),
      update() { buttons.forEach((button, index) => { button.ariaPressed = String(names[index] === value()); }); },
    };
  }
}

