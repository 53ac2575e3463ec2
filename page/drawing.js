// What all canvases share.

/** Makes a canvas as sharp as the screen; returns its context in CSS pixels. */
export function fitCanvas(canvas) {
  const scale = devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return { context, width, height };
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export const isCalm = () => calm.matches;

/** An element with properties, attributes (`"aria-…"`, `data-…`) and children. */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role" || name === "for") node.setAttribute(name, value);
    else node[name] = value;
  }
  node.append(...children.filter((child) => child != null));
  return node;
}
