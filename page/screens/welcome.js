// Onboarding: is the camera there, is the face seen, who plays.
import { characters, drawCharacter } from "../characters.js";
import { element, fitCanvas } from "../drawing.js";
import { text } from "../texts.js";
import { preview } from "./preview.js";

export function welcomeScreen(root, app, { signal }) {
  const settings = () => app.latest.settings?.settings ?? {};
  const source = element("p", { role: "status" });
  const show = (status) => {
    if (!status) return;
    source.textContent = status.trouble
      ? text("trouble", { text: status.trouble })
      : text("source", { name: status.source, rate: Math.round(status.rate) });
  };
  app.connection.on("status", ({ status }) => show(status), signal);
  app.connection.on("closed", () => { source.textContent = ""; }, signal);
  show(app.latest.status?.status);

  const calibrate = button("goCalibrate", "main", () => app.go("calibrate"));
  const play = button("goPlay", "", () => app.go("play"));
  const name = element("input", { type: "text", id: "nickname", maxLength: 24, value: settings().nickname ?? "", autocomplete: "off" });
  name.addEventListener("change", () => { if (name.value.trim()) app.change({ nickname: name.value.trim() }); });

  root.replaceChildren(
    element("div", { className: "columns" },
      element("section", {},
        element("h2", { textContent: text("welcomeTitle") }),
        element("p", { className: "lead", textContent: text("welcomeLead") }),
        source,
        element("div", { className: "row" }, calibrate, play),
        element("div", { className: "panel" },
          element("h3", { textContent: text("chooseCharacter"), id: "who" }),
          characterButtons(app, settings, signal),
          element("label", { for: "nickname" }, text("nickname"), name))),
      preview(app, signal)));
}

function button(key, className, act) {
  const node = element("button", { type: "button", className: `by-face ${className}`, textContent: text(key) });
  node.addEventListener("click", act);
  return node;
}

function characterButtons(app, settings, signal) {
  const group = element("div", { className: "characters", role: "group", "aria-labelledby": "who" });
  const mark = () => {
    for (const node of group.children) node.ariaPressed = String(node.dataset.name === (settings().character ?? "nova"));
  };
  for (const name of Object.keys(characters)) {
    const canvas = element("canvas", { "aria-hidden": "true" });
    const node = element("button", { type: "button", className: "by-face", "data-name": name }, canvas, text(name));
    node.addEventListener("click", () => app.change({ character: name }));
    group.append(node);
    requestAnimationFrame(() => {
      const { context, width, height } = fitCanvas(canvas);
      context.translate(width / 2, height - 6);
      drawCharacter(context, name, height * 0.72);
    });
  }
  mark();
  app.connection.on("settings", mark, signal);
  return group;
}
