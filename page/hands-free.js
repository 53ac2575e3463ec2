// The page by face alone: a tilt moves on to the next button, a held purse chooses the one that is in hand.

export const timing = {
  /** ms from a tilt to the next move while it is held, and between those after. */
  firstRepeat: 900,
  repeat: 600,
  /** ms that a purse is held to choose: longer than any purse of talk, short enough to be comfortable. */
  hold: 800,
};

export class HandsFree {
  #root;
  #menu;
  #repeat;
  #holdStart;
  #ring;
  #adjusting = null;
  #marked = null;
  #only = null;
  /** Why gestures choose nothing now. */
  #sleep = new Set();
  /** Called when what gestures do has changed. */
  onChange = () => {};

  /** `root`: the element whose `.by-face` elements can be reached, besides those of `menu`. */
  constructor(root, menu) {
    this.#root = root;
    this.#menu = menu;
    this.#ring = ring();
    // What keys and pointers move to is in hand, too.
    for (const type of ["focusin", "focusout"]) document.addEventListener(type, () => this.#mark());
    addEventListener("keydown", () => this.#showKeyFocus(true), true);
  }

  get isAsleep() { return this.#sleep.size > 0; }
  get isAdjusting() { return this.#adjusting !== null; }

  /** Lets gestures choose nothing for this reason, or for it no longer. */
  sleep(reason, isAsleep) {
    if (this.#sleep.has(reason) === isAsleep) return;
    if (isAsleep) this.#sleep.add(reason);
    else this.#sleep.delete(reason);
    this.#change();
  }

  /** The one element that a held purse chooses whatever has the focus; tilts do nothing then. `null`: any of them. */
  get only() { return this.#only; }
  set only(node) {
    if (node === this.#only) return;
    this.#only = node;
    this.#change();
  }

  /** Takes the service's input events. */
  take(event) {
    if (this.isAsleep) return;
    switch (event.event) {
      case "tilt":
        if (event.phase === "end") return this.#stopRepeating();
        return this.#only ? undefined : this.#tilt(event.direction === "right" ? 1 : -1);
      case "purse":
        return event.phase === "begin" ? this.#hold() : this.#letGo();
      case "release":
        return this.release();
      case "face":
        if (event.phase === "lost") this.release();
    }
  }

  /** Takes an element in hand: the next held purse chooses it. */
  moveTo(node) {
    node.focus();
    node.scrollIntoView({ block: "nearest" });
    // A window that is not the active one hears of no focus.
    this.#mark();
  }

  /** Ends everything that is held. */
  release() {
    this.#stopRepeating();
    this.#letGo();
  }

  /** Forgets a slider being adjusted, as when the screen changes. */
  reset() {
    this.release();
    this.#adjust(null);
  }

  get targets() {
    const inside = [...this.#root.querySelectorAll(".by-face")];
    return [...inside, ...this.#menu.querySelectorAll(".by-face")].filter(
      (node) => !node.disabled && node.checkVisibility());
  }

  /** What a held purse would choose now. */
  get #inHand() {
    if (this.isAsleep) return null;
    return this.#only ?? this.targets.find((node) => node === document.activeElement) ?? null;
  }

  #change() {
    this.release();
    this.#mark();
    this.onChange();
  }

  /** The frame that says what is in hand: a class, as `:focus` is nothing while another window is the active one. */
  #mark() {
    const node = this.#inHand;
    if (node === this.#marked) return;
    this.#marked?.classList.remove("in-hand");
    node?.classList.add("in-hand");
    this.#marked = node;
  }

  /** While nobody uses keys, the frame is the only one. */
  #showKeyFocus(isShown) { document.documentElement.classList.toggle("by-keys", isShown); }

  #tilt(step) {
    this.#stopRepeating();
    const act = () => (this.#adjusting ? this.#slide(step) : this.#move(step));
    act();
    const again = () => {
      act();
      this.#repeat = setTimeout(again, timing.repeat);
    };
    this.#repeat = setTimeout(again, timing.firstRepeat);
  }

  #stopRepeating() { clearTimeout(this.#repeat); }

  #move(step) {
    this.#letGo();
    this.#showKeyFocus(false);
    const targets = this.targets;
    if (targets.length === 0) return;
    const at = targets.indexOf(document.activeElement);
    const next = at < 0 ? (step > 0 ? 0 : targets.length - 1) : (at + step + targets.length) % targets.length;
    this.moveTo(targets[next]);
  }

  /** A twentieth of a slider's range. */
  #slide(step) {
    const slider = this.#adjusting;
    const size = Number(slider.dataset.step ?? (slider.max - slider.min) / 20);
    slider.value = Number(slider.value) + step * size;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  }

  #hold() {
    this.#showKeyFocus(false);
    const target = this.#inHand;
    if (!target) return this.#move(1);
    this.#holdStart = performance.now();
    const fill = () => {
      if (this.#holdStart === undefined) return;
      if (this.#inHand !== target) return this.#letGo();
      const share = (performance.now() - this.#holdStart) / timing.hold;
      this.#ring.show(target, Math.min(share, 1));
      if (share < 1) return setTimeout(fill, 30);
      this.#letGo();
      this.#choose(target);
    };
    fill();
  }

  #letGo() {
    this.#holdStart = undefined;
    this.#ring.hide();
  }

  #choose(target) {
    if (target.type === "range") this.#adjust(this.#adjusting === target ? null : target);
    else target.click();
  }

  #adjust(slider) {
    this.#adjusting?.classList.remove("adjusting");
    slider?.classList.add("adjusting");
    const isNew = this.#adjusting !== slider;
    this.#adjusting = slider;
    if (isNew) this.onChange();
  }
}

/** Fills the frame around what a held purse is about to choose. */
function ring() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.id = "purse-ring";
  svg.setAttribute("aria-hidden", "true");
  const frames = [0, 1].map(() => svg.appendChild(document.createElementNS(svg.namespaceURI, "rect")));
  frames[1].setAttribute("pathLength", "1");
  return {
    show(target, share) {
      const box = target.getBoundingClientRect();
      const style = getComputedStyle(target);
      // The middle of the frame's line.
      const gap = parseFloat(style.outlineOffset) + parseFloat(style.outlineWidth) / 2;
      for (const frame of frames) {
        frame.setAttribute("x", box.left - gap);
        frame.setAttribute("y", box.top - gap);
        frame.setAttribute("width", box.width + 2 * gap);
        frame.setAttribute("height", box.height + 2 * gap);
        frame.setAttribute("rx", parseFloat(style.borderTopLeftRadius) + gap);
      }
      frames[1].setAttribute("stroke-dasharray", `${share} 1`);
      if (!svg.isConnected) document.body.append(svg);
    },
    hide() { svg.remove(); },
  };
}
