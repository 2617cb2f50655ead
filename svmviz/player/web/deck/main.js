// Slides with players inside (`deck.py` writes them): the player of a slide goes where the step of
// the slide says.

/** @typedef {{ initialize(options: object): Promise<void>, on(name: string, act: () => void): void, getCurrentSlide(): HTMLElement, next(): void, prev(): void, triggerKey(code: number): void, addKeyBinding(key: object, act: () => void): void }} Deck */

const [FILL, OVERVIEW] = [70, 27]; // codes of F and Escape, as the slides know them

export async function start() {
  const { Reveal, RevealNotes } = /** @type {{ Reveal: Deck, RevealNotes: unknown }} */ (
    /** @type {unknown} */ (globalThis)
  );
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  let dark = system.matches;

  // The moment that a slide has got to.
  /** @param {HTMLElement} slide */
  const reached = slide =>
    /** @type {HTMLElement[]} */ ([slide, ...slide.querySelectorAll(".fragment.visible")]).pop() ??
    slide;

  // A player is another page, which is told where to stand in words of its address.
  const follow = () => {
    const slide = Reveal.getCurrentSlide();
    const frame = slide?.querySelector("iframe");
    const held = document.activeElement;
    // a player that is gone must not keep the keys
    if (held instanceof HTMLIFrameElement && held !== frame) held.blur();
    if (!frame) return;
    const { at = "", title = "" } = reached(slide).dataset;
    const heading = /** @type {HTMLElement} */ (slide.querySelector("h2"));
    heading.textContent = title;
    heading.hidden = !title;
    const words = `present=1&${at}&scheme=${dark ? "dark" : "light"}`;
    frame.contentWindow?.postMessage({ svmviz: "go", words }, "*");
  };
  const light = () => {
    root.classList.toggle("dark", dark);
    follow();
  };

  const turn = () => {
    dark = !dark;
    light();
  };

  for (const name of ["ready", "slidechanged", "fragmentshown", "fragmenthidden"])
    Reveal.on(name, follow);
  // A player says that it is there; and it has the keys once it was clicked, of which those of a
  // clicker are meant for the slides.
  addEventListener("message", ({ data, source }) => {
    const own = [...document.querySelectorAll("iframe")].some(
      frame => frame.contentWindow === source,
    );
    if (!own) return;
    if (data?.svmviz === "ready") follow();
    else if (data?.svmviz === "key" && data.key === "PageDown") Reveal.next();
    else if (data?.svmviz === "key" && data.key === "PageUp") Reveal.prev();
    else if (data?.svmviz === "key" && data.key.toLowerCase() === "t") turn();
    else if (data?.svmviz === "key" && data.key.toLowerCase() === "f") Reveal.triggerKey(FILL);
    else if (data?.svmviz === "key" && data.key === "Escape") Reveal.triggerKey(OVERVIEW);
  });
  system.addEventListener("change", () => {
    dark = system.matches;
    light();
  });
  await Reveal.initialize({
    width: "100%",
    height: "100%",
    margin: 0,
    minScale: 1,
    maxScale: 1,
    center: false,
    hash: true,
    controls: false,
    transition: "fade",
    preloadIframes: true,
    viewDistance: 2,
    plugins: [RevealNotes],
  });
  Reveal.addKeyBinding({ keyCode: 84, key: "T", description: "Light or dark" }, turn);
  light();
}
