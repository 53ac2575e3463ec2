// The guided calibration: what the service's state machine says, with the player's picture and meters.
import { drawCharacter } from "../characters.js";
import { element, fitCanvas, isCalm } from "../drawing.js";
import { drawPurseMeter, drawRollMeter } from "../plots.js";
import { language, text } from "../texts.js";
import { preview } from "./preview.js";

export function calibrateScreen(root, app, { signal }) {
  const title = element("h3", {});
  const prompt = element("p", { className: "prompt", role: "status" });
  const countdown = element("p", { className: "countdown" });
  const hint = element("p", { className: "hint", role: "status" });
  const bar = element("progress", { max: 1, value: 0, "aria-label": text("calibrateTitle") });
  const gesture = element("canvas", { className: "gesture", "aria-hidden": "true" });
  const rollMeter = element("canvas", { height: 22, "aria-hidden": "true" });
  const purseMeter = element("canvas", { height: 22, "aria-hidden": "true" });
  const roll = element("output", {}), purse = element("output", {});
  const buttons = element("div", { className: "row" });

  root.replaceChildren(
    element("h2", { textContent: text("calibrateTitle") }),
    element("div", { className: "columns" },
      element("section", { className: "panel" },
        title, element("div", { className: "row" }, gesture, element("div", { style: "flex: 1 1 14em" }, prompt, countdown)),
        bar, hint,
        element("div", { className: "meter" }, element("span", { textContent: text("head") }), rollMeter, roll),
        element("div", { className: "meter" }, element("span", { textContent: text("lips") }), purseMeter, purse),
        buttons),
      preview(app, signal, { hasOverlay: true })));

  let activity = "rest", since = performance.now(), isRunning = false;
  const act = (key, action, isMain) => {
    const node = element("button", { type: "button", className: `by-face ${isMain ? "main" : ""}`, textContent: text(key) });
    node.addEventListener("click", action);
    return node;
  };
  const start = () => app.connection.send("calibration", { action: "start", language });
  const setButtons = (...nodes) => {
    buttons.replaceChildren(...nodes);
    app.handsFree.moveTo(nodes[0]);
  };

  function idle() {
    title.hidden = true;
    prompt.textContent = text("calibrateLead");
    prompt.classList.remove("result");
    countdown.textContent = hint.textContent = "";
    bar.value = 0;
    setButtons(act("start", start, true));
  }

  function update(state) {
    const was = isRunning;
    isRunning = state.phase === "preparing" || state.phase === "recording";
    // While gestures are what is asked for, they choose nothing.
    app.handsFree.sleep("screen", isRunning);
    if (state.phase === "idle") return idle();
    title.textContent = state.title ?? "";
    title.hidden = !isRunning || !state.title;
    prompt.textContent = isRunning ? state.prompt : state.lines.join("\n");
    prompt.classList.toggle("result", !isRunning);
    countdown.textContent = state.countdown ?? "";
    hint.textContent = state.hint ?? "";
    bar.value = state.progress;
    const shown = isRunning ? state.activity : "rest";
    if (shown !== activity) [activity, since] = [shown, performance.now()];
    if (isRunning && !was) setButtons(act("cancel", () => app.connection.send("calibration", { action: "cancel" })));
    if (!isRunning && (was || buttons.childElementCount === 0)) {
      if (state.phase === "done") setButtons(act("testIt", () => app.go("settings"), true), act("goPlay", () => app.go("play")), act("again", start));
      else setButtons(act("again", start, true), act("goPlay", () => app.go("play")));
    }
  }

  app.connection.on("calibration", ({ calibration }) => update(calibration), signal);
  // The service ends a calibration that nobody sees.
  app.connection.on("closed", () => { if (isRunning) update({ phase: "idle" }); }, signal);
  app.connection.on("frame", (frame) => {
    drawRollMeter(rollMeter, frame.roll);
    drawPurseMeter(purseMeter, frame.purse);
    roll.textContent = frame.roll === undefined ? "–" : `${Math.round(frame.roll)}°`;
    purse.textContent = frame.purse === undefined ? "–" : frame.purse.toFixed(2);
    drawGesture(gesture, activity, (performance.now() - since) / 1000);
  }, signal);
  idle();
  if (app.latest.calibration) update(app.latest.calibration.calibration);
  return () => { if (isRunning) app.connection.send("calibration", { action: "cancel" }); };
}

/** Nova shows what to do, mirrored as the player sees themselves: the player's right is at the right. */
function drawGesture(canvas, activity, seconds) {
  const { context, width, height } = fitCanvas(canvas);
  context.clearRect(0, 0, width, height);
  const wave = isCalm() ? 1 : Math.min(1, Math.max(0, 1.2 * Math.sin(seconds * 2.2) + 0.4));
  const side = /Left/.test(activity) ? -1 : /Right/.test(activity) ? 1 : 0;
  const isPurse = /urse/.test(activity);
  const talk = activity === "talk" ? (Math.sin(seconds * 9) > 0 ? 0.4 : 0) : 0;
  context.translate(width / 2, height - 12);
  drawCharacter(context, "nova", height * 0.72, {
    lean: side * 0.42 * (isPurse ? 1 : wave), pursed: isPurse ? wave : talk, stretch: 1,
  });
}
