// Explore: a sweep while it fills. One cursor for map, plane, slices and chart: where the pointer
// is, else the cell that was clicked or gone to by the arrow keys, else the lowest error so far.

import { counted } from "../engine/words.js";
import { unpack } from "../engine/wire.js";
import { Dialogs } from "../taking/dialogs.js";
import { readTheme } from "../canvas/draw.js";
import { button, find, say } from "../canvas/elements.js";
import { linkTo } from "../browser/home.js";
import { Shell } from "../stage/shell.js";
import { aloft, Cells, cellAt, isShare, THERE, written } from "./cells.js";
import { extentOf, SizeChart, Slice } from "./charts.js";
import { LookPlane } from "./lookplane.js";
import { HeatMap } from "./map.js";
import { Parallel } from "./parallel.js";
import { SweepBar } from "./sweepbar.js";

const REST = 80; // ms that the cursor rests before the plane is asked for
const KEYS = [
  ["Space", "start, stop"],
  ["← → ↑ ↓", "the cursor from cell to cell"],
  ["Home", "to the lowest error"],
  ["End", "to the sparsest cell within one standard error"],
  ["Enter", "open the cell in the Playground"],
  ["R", "race the lowest error against the cell"],
  ["F", "presenter mode"],
  ["?", "this list"],
];
const HTML = `<div class="upper"><section class="heat"></section><section class="alone"></section><section class="coordinates"></section>
  <section class="cellplane"></section></div>
  <div class="slicetabs" role="tablist" aria-label="Charts"></div>
  <div class="lower"><section class="slice first"></section><section class="slice second"></section><section class="sizes"></section></div>
  <footer class="sweepbar"></footer>`;

class ExploreDialogs extends Dialogs {
  what = "sweep";

  /** @param {Stage} explore */
  constructor(explore) {
    super(explore);
    this.explore = explore;
  }
  address(words = this.stage.hall.words()) {
    const { data, pinned } = this.explore;
    return linkTo({ ...data.query, ...(pinned !== null && { cell: String(pinned) }), ...words });
  }
  about() {
    const { data, cells } = this.explore;
    return `${data.about}; ${data.how}; ${cells.data.counts.complete} of ${data.counts.cells} cells`;
  }
  link() {
    return this.copy(this.address(), "Link copied: it opens this sweep");
  }
  script() {
    return this.explore.data.python;
  }
  file() {
    return "explore";
  }
  help() {
    super.help(KEYS);
  }
}

export class Stage extends Shell {
  /** @type {SweepData} */ data;
  /** @type {Cells} */ cells;
  /** @type {number | null} */ pinned = null;
  /** @type {number | null} */ hovered = null;
  narrow = false;
  wanted = ""; // what was asked for last
  resting = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);

  /** @param {HTMLElement} root @param {Modules} modules */
  constructor(root, modules) {
    super(root, modules, "explore", "Explore", HTML);
    /** @param {string} name */
    const $ = name => find(root, name);
    this.map = new HeatMap($(".heat"), this);
    this.curve = new Slice($(".alone"), this, 0);
    this.parallel = new Parallel($(".coordinates"), this);
    this.plane = new LookPlane($(".cellplane"));
    this.slices = [new Slice($(".slice.first"), this, 0), new Slice($(".slice.second"), this, 1)];
    this.sizes = new SizeChart($(".sizes"), this);
    this.bar = new SweepBar($(".sweepbar"), this);
    this.tabs = $(".slicetabs");
    this.dialogs = new ExploreDialogs(this);
    this.furnish({});
  }

  /** @param {Uint8Array} bytes */
  async read(bytes) {
    /** @type {SweepData} */
    const found = await unpack(bytes);
    return () => {
      this.accept(found);
      this.spell(found.address);
    };
  }

  /** @param {SweepData} data */
  accept(data) {
    const before = this.data;
    Object.assign(this, { data, cells: new Cells(data) });
    if (before?.id !== data.id) {
      const kept = before ? null : data.view.cell; // what an earlier player, or the link, said
      Object.assign(this, {
        pinned: this.cells.has(kept) ? kept : null,
        hovered: null,
        wanted: "",
      });
    }
    const run = { T: 0, final: true, solver: { key: "explore" }, python: data.python };
    this.run = /** @type {Run} */ (run);
    this.frame.dataset.axes = String(Math.min(data.shape.length, 3));
    this.paper.say(data.about);
    this.count();
    for (const part of [this.plane, this.sizes, this.bar]) part.accept(this.cells);
    if (data.shape.length === 1) this.curve.accept(this.cells);
    else if (data.shape.length === 2)
      for (const part of [this.map, ...this.slices]) part.accept(this.cells);
    else this.parallel.accept(this.cells);
    this.offerTabs();
    this.follow();
  }

  count() {
    const { data } = this;
    const { within, diverged, unsettled, refused } = data.counts;
    const lowest = data.best === null ? NaN : data.error[this.cells.row(data.best)];
    this.numbers.paint([
      ["lowest error", written(lowest, { percent: isShare(data), whole: false })],
      ["within 1 SE", many(within)],
      refused
        ? ["refused", many(refused)]
        : [aloft(diverged, unsettled), many(diverged + unsettled)],
      ["fits so far", counted(data.counts.fits)],
    ]);
  }

  // Which of the lower charts a phone shows.
  offerTabs() {
    const names =
      this.data.shape.length === 2
        ? [...this.data.axes.map(a => `Over ${a.symbol}`), "Size"]
        : ["Size"];
    const key = names.join();
    if (this.tabs.dataset.of === key) return;
    this.tabs.dataset.of = key;
    /** @param {number} at */
    const choose = at => {
      this.frame.dataset.slice = names.length > 1 ? ["first", "second", "sizes"][at] : "sizes";
      [...this.tabs.children].forEach((tab, k) =>
        tab.setAttribute("aria-selected", String(k === at)),
      );
      this.layout();
    };
    this.tabs.replaceChildren(
      ...names.map((name, k) => {
        const tab = button(name, () => choose(k));
        tab.setAttribute("role", "tab");
        return tab;
      }),
    );
    choose(0);
  }

  get cursor() {
    const { data, cells } = this;
    if (!data) return null;
    for (const cell of [this.hovered, this.pinned, data.best]) if (cells.has(cell)) return cell;
    if (!cells.flat) return cells.size ? cells.cell(0) : null;
    const { cross, shape } = data;
    const middle = shape.map((size, k) =>
      cross ? Math.round(cross[k]) : Math.floor((size - 1) / 2),
    );
    return cellAt(middle, shape);
  }

  /** @param {number | null} cell */
  hover(cell) {
    if (cell === this.hovered) return;
    this.hovered = cell;
    this.follow();
    this.repaint();
  }

  // The cursor stays at this cell when the pointer has gone.
  /** @param {number | null} cell */
  pin(cell) {
    if (cell === null || !this.cells.has(cell)) return;
    Object.assign(this, { pinned: cell, hovered: null });
    this.follow();
    this.repaint();
    say(this.spoken, this.cells.told(cell));
  }

  // On a phone the card of the cell that was tapped comes into sight.
  tapped() {
    if (this.narrow) find(this.frame, ".cellplane").scrollIntoView({ block: "nearest" });
  }

  // The plane of a cell is asked for once the cursor rests there.
  follow() {
    const { cursor, data } = this;
    const want = `${data.id} ${cursor}`;
    clearTimeout(this.resting);
    if (cursor === null || want === this.wanted) return;
    this.resting = setTimeout(() => {
      if (this.gone || this.cursor !== cursor) return;
      this.wanted = want;
      this.setStateValue("view", { id: data.id, cell: cursor });
    }, REST);
  }

  open() {
    const { cursor, data } = this;
    if (cursor === null) return;
    clearTimeout(this.resting);
    this.setTriggerValue("open", { id: data.id, cell: cursor });
  }

  // The cell that the lowest can race against.
  get challenger() {
    const { cursor, data } = this;
    return data.races && data.best !== null && cursor !== data.best ? cursor : null;
  }

  race() {
    const { challenger, data } = this;
    if (challenger === null) return;
    clearTimeout(this.resting);
    this.setTriggerValue("race", { id: data.id, cell: challenger, best: data.best });
  }

  // Start, or stop.
  toggle() {
    const { data } = this;
    if (data.state === "running") this.setTriggerValue("stop", { id: data.id, at: data.done });
    else if (!data.fault && !this.bar.complete)
      this.setTriggerValue("go", { id: data.id, at: Date.now() });
  }

  sparsest() {
    this.pin(this.data.sparsest);
  }

  /** @param {number} axis @param {number} by */
  step(axis, by = 1) {
    const { cells, cursor } = this;
    if (cursor === null) return;
    if (cells.shape.length <= 2)
      return this.pin(cells.neighbour(cursor, Math.min(axis, cells.shape.length - 1), by));
    const lines = this.parallel.lines;
    const at = lines.findIndex(({ cell }) => cell === cursor);
    const next = lines[Math.max(0, Math.min(lines.length - 1, at + by))];
    if (next) this.pin(next.cell);
  }

  actions() {
    return {
      " ": () => this.toggle(),
      ArrowRight: () => this.step(1, 1),
      ArrowLeft: () => this.step(1, -1),
      ArrowUp: () => this.step(0, 1),
      ArrowDown: () => this.step(0, -1),
      Home: () => this.pin(this.data.best),
      End: () => this.sparsest(),
      Enter: () => this.open(),
      r: () => this.race(),
      f: () => this.present(),
      "?": () => this.help(),
      Escape: () => (this.presenting ? this.present() : this.release()),
    };
  }

  // The cursor follows the lowest error again.
  release() {
    this.pinned = null;
    this.follow();
    this.repaint();
  }

  greet() {}

  layout() {
    if (!this.data || !this.frame.clientWidth) return;
    this.narrow = this.measure();
    this.theme = readTheme(this.frame, this.frame.classList.contains("dark"));
    for (const { sheet } of [
      this.map,
      this.curve,
      this.parallel,
      this.plane,
      ...this.slices,
      this.sizes,
    ])
      sheet.fit();
    this.repaint();
  }

  paint() {
    if (!this.data || this.gone || !this.theme) return;
    const { theme, cursor, data, cells } = this;
    const known = cells.order.filter(k => data.state_of[k] === THERE);
    const values = known.map(k => data.value[k]);
    const line =
      cursor === null
        ? []
        : (cells.flat ? cells.shape : []).flatMap((_, axis) => cells.line(cursor, axis));
    const seen = line
      .map(cell => data.value[cell])
      .filter((_, k) => data.state_of[line[k]] === THERE);
    const extent = /** @type {[number, number]} */ (
      extentOf(values, [
        ...seen,
        ...(data.measure.key === "error" && data.limit !== null ? [data.limit] : []),
      ])
    );
    if (data.shape.length === 2) {
      this.map.paint(theme, cursor);
      if (cursor !== null) for (const slice of this.slices) slice.paint(theme, cursor, extent);
    } else if (data.shape.length === 1 && cursor !== null) this.curve.paint(theme, cursor, extent);
    else this.parallel.paint(theme, cursor);
    const errors = known.map(k => data.error[k]);
    const row = cursor === null ? -1 : cells.row(cursor);
    const must = row >= 0 && data.state_of[row] === THERE ? [data.error[row]] : [];
    this.sizes.paint(
      theme,
      cursor,
      data.measure.key === "error" ? extent : pair(extentOf(errors, must)),
    );
    this.plane.paint(theme, cursor);
    this.bar.paint();
    this.draws++;
  }
}

/** @param {number} cells */
const many = cells => `${counted(cells)} cell${cells === 1 ? "" : "s"}`;

/** @param {number[]} limits */
const pair = limits => /** @type {[number, number]} */ (limits);
