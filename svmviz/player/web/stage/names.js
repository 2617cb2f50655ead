// What the canvases show now, in words, for whoever cannot see them: at rest, and now and then
// while it plays.

import { counted } from "../engine/words.js";
import { short } from "../canvas/scales.js";

const SELDOM = 3000; // ms between new names while it plays

/** @param {View} view */
function ofPlane({ run, drawn, now: { wrong, count, paying } }) {
  const once = [...new Set(drawn)];
  const points =
    once.length > 4 ? `${once.length} points` : once.map(i => `point ${i + 1}`).join(", ");
  const off = run.real ? `${paying} that pay for their residual` : `${wrong} on the wrong side`;
  return `${count} examples, ${off}${points && `, drawn now: ${points}`}`;
}

/** @param {View} view @param {Curves} curves */
function ofCurves({ done: t, s }, curves) {
  const metric = curves.metricBox.selectedOptions[0]?.textContent ?? "";
  const { y } = curves.axes;
  if (y === "front" || t === 0 || curves.own[y]?.paint) return metric;
  const values = curves
    .series()
    .map(([name, value]) => ({ name, v: value(t, s) }))
    .filter(({ v }) => Number.isFinite(v));
  return [metric, ...values.map(({ name, v }) => `${name} ${short(v)}`)].join(", ");
}

export class Names {
  at = 0;

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
  }

  // A mechanism may tell what its sheets show (`facts`, one for each).
  /** @param {View} view @param {number} time @param {boolean} resting */
  tell(view, time, resting) {
    if (!resting && time - this.at < SELDOM) return;
    this.at = time;
    const { plane, curves, mechanism } = this.stage;
    const { run, t, beat } = view;
    const when = t
      ? `step ${counted(t)} of ${counted(run.T)}${beat === "rest" ? "" : `, ${beat}`}`
      : "before the first step";
    const where = `${run.solver.title}, ${when}`;
    /** @param {Sheet} sheet @param {string} fact */
    const call = (sheet, fact) => sheet.call([sheet.label, fact, where].filter(Boolean).join("; "));
    call(plane.sheet, ofPlane(view));
    call(curves.sheet, ofCurves(view, curves));
    const covered = this.stage.asking?.covers("mechanism");
    const facts = (!covered && mechanism.facts?.({ ...view, ...view.last })) || [];
    mechanism.sheets.forEach((sheet, k) => call(sheet, facts[k]));
  }
}
