// In the place of the transport: how far a sweep is, start and stop, and what can be done with a
// cell.

import { counted } from "../engine/words.js";
import { button, find, make, say } from "../canvas/elements.js";
import { Caption } from "../canvas/labels.js";

// How long it still takes, in words.
/** @param {number | null} seconds */
export function remaining(seconds) {
  if (seconds === null || !Number.isFinite(seconds)) return "";
  if (seconds < 1.5) return ", 1 s left";
  return seconds < 100
    ? `, ${Math.round(seconds)} s left`
    : `, ${Math.round(seconds / 60)} min left`;
}

// How far it is, what the button says, and what stands below.
/** @param {SweepData} data @returns {{ far: string, go: string, more: string }} */
export function wordsOf(data) {
  const { complete, cells } = data.counts;
  const of = `${counted(complete)} of ${counted(cells)}`;
  const missing = cells - complete;
  const order =
    data.search === "grid"
      ? "Coarse cells first, then outwards from the lowest."
      : data.search === "random"
        ? "In the order in which they were drawn."
        : `In ${data.rounds} rounds: the better cells go on with more steps.`;
  if (data.state === "running")
    return { far: `${of} cells${remaining(data.left)}`, go: "Stop", more: order };
  if (data.fault)
    return { far: `${of} cells`, go: "Start", more: "The sidebar says what stands against it." };
  if (data.state === "failed")
    return { far: `${of} cells`, go: "Try again", more: data.error_text };
  const all = data.search === "halving" ? data.state === "ended" : !missing;
  if (all)
    return {
      far: `${counted(complete)} cells, ${counted(data.fits)} fits`,
      go: "",
      more: "All cells are computed.",
    };
  if (!complete && data.counts.fits)
    return { far: `${counted(data.counts.fits)} fits, no P* yet`, go: "Compute P*", more: order };
  if (!complete) return { far: "Nothing is computed yet", go: "Start", more: order };
  return {
    far: `${of} cells`,
    go: `Compute the other ${counted(missing)}`,
    more: "What is there already is used again.",
  };
}

// A button whose last words are left out where there is little room.
/**
 * @param {string} words
 * @param {string} rest
 * @param {() => void} act
 * @param {Record<string, unknown>} properties
 */
function deed(words, rest, act, properties) {
  const made = button(words, act, properties);
  made.append(make("span", { className: "deedrest", textContent: rest }));
  return made;
}

export class SweepBar {
  complete = false;

  /** @param {HTMLElement} footer @param {Explore} stage */
  constructor(footer, stage) {
    this.stage = stage;
    footer.innerHTML = `<div class="progress"><b></b><div class="rail"><div class="done"></div></div><span class="order"></span></div>
      <div class="deeds"></div><span class="hint"></span>`;
    this.far = find(footer, ".progress b");
    this.done = find(footer, ".done");
    this.order = new Caption(find(footer, ".order"));
    this.hint = new Caption(find(footer, ".hint"));
    this.rail = find(footer, ".rail");
    this.rail.setAttribute("role", "progressbar");
    this.rail.setAttribute("aria-label", "cells computed");
    this.go = button("Start", () => stage.toggle(), { className: "go" });
    this.sparse = deed("Take the sparsest", " within 1 SE", () => stage.sparsest(), {
      className: "sparse",
    });
    this.race = deed("Race lowest", " against current", () => stage.race(), {
      title: "The lowest error and the cell under the cursor as lanes of a race",
    });
    this.open = button("Open in Playground", () => stage.open(), { className: "open" });
    footer.querySelector(".progress")?.after(this.go);
    find(footer, ".deeds").append(this.sparse, this.race, this.open);
  }

  /** @param {Cells} cells */
  accept({ data }) {
    const { far, go, more } = wordsOf(data);
    const { complete, cells } = data.counts;
    this.complete = !go;
    say(this.far, far);
    say(this.go, go || "Done");
    this.go.hidden = !go;
    this.go.disabled = Boolean(data.fault) && data.state !== "running";
    this.go.classList.toggle("begin", go !== "Stop" && !complete);
    this.order.say(more, "");
    this.done.style.transform = `scaleX(${cells ? complete / cells : 0})`;
    this.rail.setAttribute("aria-valuemin", "0");
    this.rail.setAttribute("aria-valuemax", String(cells));
    this.rail.setAttribute("aria-valuenow", String(complete));
    this.sparse.disabled = data.sparsest === null;
    this.hint.say(
      "Arrow keys or a click move the cursor, Enter opens the cell, ? lists all keys",
      "Enter opens the cell, ? lists all keys",
      "",
    );
  }

  paint() {
    const { stage } = this;
    this.open.disabled = stage.cursor === null;
    this.race.disabled = stage.challenger === null;
    this.sparse.classList.toggle("there", stage.cursor === stage.data.sparsest);
  }
}
