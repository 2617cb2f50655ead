// What the speaker reads while others look at the stage: a window for the second screen, with the
// note, what comes next and the time. It can go on and back, too.

import { make } from "../canvas/elements.js";

const LOOK = `
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; padding: 20px 24px; display: flex; flex-direction: column; gap: 14px;
    font: 18px/1.45 system-ui, sans-serif; color: #1b2430; background: #ffffff; }
  header { display: flex; gap: 16px; color: #616c7c; font-size: 16px; font-variant-numeric: tabular-nums; }
  header b { flex: 1; font-weight: 500; }
  h1 { margin: 0; font-size: 24px; line-height: 1.25; }
  .note { flex: 1; margin: 0; font-size: 24px; white-space: pre-wrap; overflow-wrap: anywhere; overflow-y: auto; }
  .none { color: #616c7c; }
  .next { display: flex; gap: 14px; padding-top: 14px; border-top: 1px solid #dfe3e8; color: #465161; min-height: 90px; }
  .next img { width: 128px; height: 72px; border: 1px solid #dfe3e8; border-radius: 6px; }
  .next p { margin: 0; overflow-wrap: anywhere; }
  nav { display: flex; gap: 8px; }
  button { flex: 1; height: 44px; font: inherit; color: inherit; background: none; border: 1px solid #a3adba;
    border-radius: 8px; cursor: pointer; }
  @media (prefers-color-scheme: dark) {
    body { color: #f1f4f8; background: #0e1218; }
    header, .none { color: #9ba6b5; }
    .next { color: #c3cbd6; border-color: #2c3440; }
    .next img { border-color: #2c3440; }
  }
`;

export class Notes {
  /** @type {Window | null} */ window = null;
  /** @type {ReturnType<typeof setInterval>} */ ticking;
  since = 0;

  /** @param {Storyboard} storyboard */
  constructor(storyboard) {
    this.storyboard = storyboard;
  }

  open() {
    if (this.window && !this.window.closed) return this.window.focus();
    const opened = window.open("", "svmviz-notes", "popup,width=620,height=720");
    if (!opened)
      return this.storyboard.say(
        "The browser holds the window with the notes back; allow it to open",
      );
    this.window = opened;
    this.since = Date.now();
    const { document } = opened;
    const look = new /** @type {Window & typeof globalThis} */ (opened).CSSStyleSheet();
    look.replaceSync(LOOK);
    document.adoptedStyleSheets = [look];
    document.documentElement.lang = "en";
    opened.onkeydown = event => {
      const by = { PageDown: 1, ArrowRight: 1, " ": 1, PageUp: -1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      this.storyboard.step(by);
    };
    clearInterval(this.ticking);
    this.ticking = setInterval(() => this.tick(), 1000);
    this.paint();
  }

  close() {
    clearInterval(this.ticking);
    this.window?.close();
    this.window = null;
  }

  tick() {
    if (!this.window || this.window.closed) return this.close();
    const clock = this.window.document.querySelector("time");
    if (clock) clock.textContent = this.clock();
  }

  clock() {
    const spent = Math.floor((Date.now() - this.since) / 1000);
    const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
    const now = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    return `${Math.floor(spent / 60)}:${two(spent % 60)} · ${now}`;
  }

  paint() {
    if (!this.window || this.window.closed) return;
    const { board } = this.storyboard;
    const { document } = this.window;
    const { current: now } = board;
    const next = board.moments[board.at + 1];
    document.title = `Notes: ${board.title}`;
    const top = make("header");
    const place = now
      ? `Moment ${board.at + 1} of ${board.moments.length}`
      : `${board.moments.length} moments`;
    top.append(
      make("b", { textContent: board.title }),
      place,
      make("time", { textContent: this.clock() }),
    );
    const title = make("h1", {
      textContent: now ? this.storyboard.caption(now) : "PageDown shows the first moment",
    });
    const note = make("p", {
      className: now?.note ? "note" : "note none",
      textContent: now?.note || "No note.",
    });
    const coming = make("div", { className: "next" });
    const picture = next && board.pictures.get(next.link);
    if (picture) coming.append(make("img", { src: picture, alt: "" }));
    const words = next ? `Next: ${this.storyboard.caption(next)}` : "This is the last moment.";
    coming.append(make("p", { textContent: words }));
    const ways = make("nav");
    for (const [words, by] of /** @type {[string, number][]} */ ([
      ["Back", -1],
      ["Next", 1],
    ])) {
      const way = make("button", { type: "button", textContent: words });
      way.addEventListener("click", () => this.storyboard.step(by));
      ways.append(way);
    }
    document.body.replaceChildren(top, title, note, coming, ways);
  }
}
