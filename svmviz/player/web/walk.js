// Things on a canvas that the keyboard goes through one by one, as a pointer would: a slider whose value is told in words.

const ALONG = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Home: -Infinity, End: Infinity };

export class Walk {
  // `list` gives all things, `at` the one that is on, `go` turns to one, `words` tells of it, `act` is Enter, `leave` the end of it.
  constructor(view, name, { list, at, go, words, act, leave }) {
    Object.assign(this, { list, at, go, words, act });
    this.box = Object.assign(document.createElement("div"), { className: "walk", tabIndex: 0 });
    for (const [key, value] of Object.entries({ role: "slider", "aria-label": name, "aria-valuemin": 1 })) this.box.setAttribute(key, value);
    this.box.addEventListener("focus", () => this.tell());
    this.box.addEventListener("blur", () => leave?.());
    this.box.addEventListener("keydown", event => this.press(event));
    view.append(this.box);
    this.tell();
  }

  press(event) {
    const things = this.list(), by = ALONG[event.key];
    if (event.key === "Enter") this.act?.(this.at());
    else if (by === undefined || event.shiftKey) return;
    else if (things.length) this.go(things[Math.max(0, Math.min(things.length - 1, things.indexOf(this.at()) + by))]);
    event.preventDefault();
    this.tell();
  }

  tell() {
    const things = this.list(), k = things.length ? things.indexOf(this.at()) : -1;
    this.box.setAttribute("aria-valuemax", Math.max(things.length, 1));
    this.box.setAttribute("aria-valuenow", Math.max(k, 0) + 1);
    this.box.setAttribute("aria-valuetext", k < 0 ? (things.length ? "none yet" : "none at this step") : this.words(things[k], k));
  }
}
