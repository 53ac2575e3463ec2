// The player's own picture in a corner: draggable, and folded away at the edge.
import { element } from "./drawing.js";
import { text } from "./texts.js";

export class PictureInPicture {
  #box;
  #video;
  #hide;
  #isCollapsed = false;

  constructor(box, video) {
    this.#box = box;
    this.#video = video;
    let grip = null;
    box.addEventListener("pointerdown", (event) => {
      if (event.target.closest("button")) return;
      const place = box.getBoundingClientRect();
      grip = { x: event.clientX - place.left, y: event.clientY - place.top };
      box.setPointerCapture(event.pointerId);
    });
    box.addEventListener("pointermove", (event) => {
      if (grip) this.#place(event.clientX - grip.x, event.clientY - grip.y);
    });
    box.addEventListener("pointerup", () => { grip = null; });
    addEventListener("resize", () => {
      if (box.style.left) this.#place(parseFloat(box.style.left), parseFloat(box.style.top));
    });
  }

  set size(name) {
    this.#box.classList.remove("s", "m", "l");
    this.#box.classList.add(name[0]);
  }

  open() {
    const canvas = element("canvas", { "aria-hidden": "true", width: 1, height: 1 });
    const fold = element("button", { type: "button" });
    const label = () => {
      fold.textContent = this.#isCollapsed ? "‹" : "›";
      fold.ariaLabel = text(this.#isCollapsed ? "showPicture" : "hidePicture");
    };
    fold.addEventListener("click", () => {
      this.#isCollapsed = !this.#isCollapsed;
      this.#box.classList.toggle("collapsed", this.#isCollapsed);
      this.#box.style.cssText = this.#isCollapsed ? "right: 0" : "";
      label();
      show();
    });
    // A picture that nobody sees is asked of nobody.
    const show = () => {
      this.#hide?.();
      this.#hide = this.#isCollapsed ? null : this.#video.show(canvas);
    };
    label();
    this.#box.replaceChildren(canvas, fold);
    show();
  }

  close() {
    this.#hide?.();
    this.#hide = null;
    this.#box.replaceChildren();
  }

  /** Never beyond the window's edges. */
  #place(left, top) {
    const place = this.#box.getBoundingClientRect();
    const within = (value, most) => Math.min(Math.max(value, 0), Math.max(most, 0));
    this.#box.style.left = `${within(left, innerWidth - place.width)}px`;
    this.#box.style.top = `${within(top, innerHeight - place.height)}px`;
    this.#box.style.right = this.#box.style.bottom = "auto";
  }
}
