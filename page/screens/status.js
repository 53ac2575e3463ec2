// How the service is doing.
import { element } from "../drawing.js";
import { text } from "../texts.js";

export function statusScreen(root, app, { signal }) {
  const body = element("tbody", {});
  function show() {
    const status = app.latest.status?.status;
    const rows = [
      ["connectionRow", app.connection.isOpen ? text("connected") : text("notConnected")],
      ["cameraRow", status?.trouble ?? status?.source],
      ["rateRow", status?.rate.toFixed(1)],
      ["latencyRow", status && `${status.latency.toFixed(1)} ms`],
      ["profileRow", app.latest.settings?.settings.profile],
      ["pagesRow", app.latest.control?.pages],
    ];
    body.replaceChildren(...rows.map(([key, value]) =>
      element("tr", {}, element("th", { scope: "row", textContent: text(key) }), element("td", { textContent: value ?? text("none") }))));
  }
  root.replaceChildren(
    element("h2", { textContent: text("statusTitle") }),
    element("div", { className: "panel" }, element("table", {}, body)));
  for (const type of ["status", "settings", "control", "open", "closed"]) app.connection.on(type, show, signal);
  show();
}
