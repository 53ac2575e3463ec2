// The page by face alone: a tilt moves the focus, a held purse chooses.

export const timing = {
  /** ms from a tilt to the next move of the focus while it is held, and between those after. */
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
  #isAsleep = false;
  /** Called when what gestures do has changed. */
  onChange = () => {};

  /** Set while tilts and purses belong to the game or the calibration. */
  get isAsleep() { return this.#isAsleep; }
  set isAsleep(value) {
    if (value === this.#isAsleep) return;
    this.#isAsleep = value;
    this.onChange();
  }

  get isAdjusting() { return this.#adjusting !== null; }

  /** `root`: the element whose `.by-face` elements can be reached, besides those of `menu`. */
  constructor(root, menu) {
    this.#root = root;
    this.#menu = menu;
    this.#ring = ring();
  }

  /** Takes the service's input events. */
  take(event) {
    if (this.isAsleep) return this.release();
    switch (event.event) {
      case "tilt":
        return event.phase === "begin" ? this.#tilt(event.direction === "right" ? 1 : -1) : this.#stopRepeating();
      case "purse":
        return event.phase === "begin" ? this.#hold() : this.#letGo();
      case "release":
        return this.release();
      case "face":
        if (event.phase === "lost") this.release();
    }
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

  #tilt(step) {
    this.#stopRepeating();
    const act = () => (this.#adjusting ? this.#change(step) : this.#move(step));
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
    const targets = this.targets;
    if (targets.length === 0) return;
    const at = targets.indexOf(document.activeElement);
    const next = at < 0 ? (step > 0 ? 0 : targets.length - 1) : (at + step + targets.length) % targets.length;
    targets[next].focus();
    targets[next].scrollIntoView({ block: "nearest" });
  }

  /** A twentieth of a slider's range. */
  #change(step) {
    const slider = this.#adjusting;
    const size = Number(slider.dataset.step ?? (slider.max - slider.min) / 20);
    slider.value = Number(slider.value) + step * size;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  }

  #hold() {
    const target = document.activeElement;
    if (!this.targets.includes(target)) return this.#move(1);
    this.#holdStart = performance.now();
    const fill = () => {
      if (this.#holdStart === undefined) return;
      if (document.activeElement !== target) return this.#letGo();
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

function ring() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.id = "purse-ring";
  svg.setAttribute("viewBox", "-50 -50 100 100");
  svg.setAttribute("aria-hidden", "true");
  const circles = [0, 1].map(() => svg.appendChild(document.createElementNS(svg.namespaceURI, "circle")));
  for (const circle of circles) circle.setAttribute("r", "40");
  circles[1].style.transformOrigin = "0 0";
  const length = 2 * Math.PI * 40;
  circles[1].setAttribute("stroke-dasharray", length);
  return {
    show(target, share) {
      const box = target.getBoundingClientRect();
      svg.style.left = `${box.left + box.width / 2}px`;
      svg.style.top = `${box.top + box.height / 2}px`;
      circles[1].setAttribute("stroke-dashoffset", length * (1 - share));
      if (!svg.isConnected) document.body.append(svg);
    },
    hide() { svg.remove(); },
  };
}
