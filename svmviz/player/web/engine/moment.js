// A moment of a run: all that the panels show where the stage stands, at (t, phase).

import { beatEnds, ease } from "./beats.js";
import { along } from "./own/path.js";

const OVER = 1e-5; // of a step: a stage that stands at the end of a beat has shown all of it

// All that is shown at (t, phase). While step t is taken, and once it is over, the stage stands in
// the segment of that step; where a change follows it, the rest after it (phase 1) stands behind
// the change, in the segment s that begins there: nothing of step t is told then (`told` is 0, as
// before the first step), and every number, line and point is that of s.
/** @param {Moment} stage */
export function moment(stage) {
  const { run, engine, t, theme } = stage;
  const { CHANGE, SECOND, values: live, finish, ringed } = stage.panel;
  const phase = t === 0 ? 1 : stage.phase;
  const s = phase >= 1 ? run.behind(t) : run.segment_of[t];
  const mask = run.masks[s];
  const other = stage.supposed?.params;
  const changed = s !== run.segment_of[t] || Boolean(other);
  // who is asked about w sees w, whichever iterate is shown otherwise
  const of_w =
    stage.asking?.open && !stage.asking.asked?.shown
      ? { iterate: /** @type {const} */ ("last") }
      : null;
  const params = other || of_w ? { ...run.segments[s].params, ...other, ...of_w } : null;
  const segment = !params
    ? run.segments[s]
    : { ...run.segments[s], params, ...(other && { optimum: null, near: null, supposed: true }) };
  const told = changed ? 0 : t;
  const everybody = // who takes all singles out nobody
    segment.k > 1 && segment.k >= run.counts[s] && segment.params.sampling !== "multi-set";
  const ends = beatEnds(run.segment(t).lines, run.lines[t]);
  const here = phase >= 1 ? ends.at(-1) : (ends.find(e => phase < e.end) ?? ends.at(-1));
  const progress = (phase - here.start) / (here.end - here.start);
  const named = ends.filter(e => CHANGE.includes(e.beat));
  const changing = named.length ? named : [ends.at(-2)];
  /** @param {Beat} from @param {Beat} to */
  const share = (from, to) =>
    phase > to.end - OVER ? 1 : ease((phase - from.start) / (to.end - from.start));
  const shown = share(changing[0], changing.at(-1));
  const second = ends.find(e => e.beat === SECOND);
  const taken = second && !changed ? share(second, second) : undefined;
  /** @param {number} which @param {Params["iterate"]} iterate */
  const states = (which, iterate) => ({
    before: engine.state(Math.max(t - 1, 0), which, s, iterate),
    after: engine.state(t, which + 1, s, iterate),
  });
  const { before, after } = states(0, segment.params.iterate);
  const one = segment.params.iterate === "last";
  const algorithm = one ? { before, after } : states(2, "last");
  const mid = second && told > 0 ? engine.midst(t) : null;
  const now = !mid
    ? run.bends
      ? along(engine, before, after, shown, s)
      : engine.mix(before, after, shown, s)
    : taken
      ? engine.mix(mid, after, taken, s)
      : engine.mix(before, mid, shown, s);
  const last = { ...algorithm, now: one ? now : shown < 1 ? algorithm.before : algorithm.after };
  const values = changed ? { t } : live(run, algorithm.before, algorithm.after, t, mid);
  const done = shown < 1 || (taken !== undefined && taken < 1) ? Math.max(t - 1, 0) : t;
  const finished = new Set([now, last.now]);
  for (const state of finished) finish(state, run, segment, mask);
  /** @param {State} state */
  const settled = state => {
    // what follows from it, and no picture of it
    const copy = finished.has(state)
      ? state
      : { ...state, f: state.f.slice(), field: new Float64Array(0) };
    if (copy !== state) finish(copy, run, segment, mask);
    return copy;
  };
  return {
    run,
    theme,
    t,
    s,
    segment,
    mask,
    linear: run.linear[s],
    changed,
    told,
    /** @param {string} name @param {number} step */
    of: (name, step) => run.at(name, step, s),
    before,
    after,
    mid,
    now,
    last,
    shown,
    taken,
    done,
    settled,
    beat: here.beat,
    progress,
    values,
    slow: stage.slow,
    linked: stage.linked,
    field: stage.field,
    depth: stage.depth ?? "why",
    lit: stage.lit ?? new Set(),
    everybody,
    drawn: changed || everybody ? [] : ringed(run, t, here.beat, progress),
    moving:
      told > 0 &&
      Number(values.hits) > 0 &&
      (shown === 1 || ends.indexOf(here) >= ends.findIndex(e => e.beat === "add")),
  };
}

// The same moment at the end of the last step that is over: in the midst of one its w is that of no
// step, and numbers that were recorded for each would speak of another.
/** @param {View} view */
export function settledOf(view) {
  const { t, done, settled, before, last } = view;
  return done === t
    ? view
    : { ...view, t: done, now: settled(before), last: { ...last, now: settled(last.before) } };
}
