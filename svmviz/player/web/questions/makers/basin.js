// Questions about water: who is under it, and where the level goes.

import {
  PLAIN,
  SURE,
  after,
  asked,
  before,
  chance,
  choice,
  maker,
  members,
  numbered,
  named,
  placeOf,
  six,
  text,
} from "../making.js";

const AROUND = 3; // neighbours that make a place look wet

// Responses, level and who is under water, as the next step finds them.
/** @param {import("../making.js").Step} step */
function poured(step) {
  const { run, panel, segment, mask } = step;
  const state = before(step);
  panel.finish(state, run, segment, mask);
  const { c, wet, gamma, b, k } = state;
  return { c: c.slice(), wet: wet.slice(), gamma, b: segment.params.bias ? b : 0, k };
}

export const wet = maker(step => {
  const { run } = step;
  const { c, wet: under, gamma, b, k } = poured(step);
  const rows = members(step.mask);
  const sorted = rows.map(i => c[i]).sort((p, q) => p - q);
  /** @param {number} i */
  const shore = i => gamma - run.y[i] * b;
  const random = chance(step, "wet");
  const chosen = six(
    run,
    step.mask,
    i => c[i] - shore(i),
    i => under[i] > 0,
    random,
  );
  if (!chosen.length) return null;
  /** @param {number} i */
  const among = i => {
    const [x, y] = placeOf(run, i);
    const near = rows
      .filter(j => j !== i)
      .map(j => ({ j, far: (run.points[2 * j] - x) ** 2 + (run.points[2 * j + 1] - y) ** 2 }))
      .sort((p, q) => p.far - q.far)
      .slice(0, AROUND);
    return near.filter(({ j }) => under[j]).length > AROUND / 2;
  };
  const deep = sorted[Math.floor(0.85 * sorted.length)];
  /** @param {number} i */
  const looks = i =>
    c[i] < 0
      ? "wrong side"
      : c[i] > deep
        ? "deep inside"
        : !under[i] && among(i)
          ? "in a crowd"
          : "right side";
  const { options, truth } = numbered(
    run,
    chosen,
    random,
    i => under[i] > 0,
    i => ({ words: looks(i), value: text(c[i], 3), note: under[i] ? "under water" : "dry" }),
  );
  const many = b || step.params.bias ? 2 * k : k;
  const [i] = step.drawn;
  const drawn = options.find(({ row }) => row === i);
  return asked(step, "wet", {
    form: "many",
    options,
    truth,
    covers: ["mechanism", "rings", "numbers"],
    values: {
      gamma,
      volume: step.params.nu * rows.length,
      drew: `Of the ${many} under water the run drew ${drawn ? named(drawn) : `point ${i + 1}`}.`,
    },
    mistake: (option, missed) => {
      const [answers, most] = [c[option.row], shore(option.row)];
      const said = `${named(option)} answers ${text(answers, 3)}`;
      return missed
        ? `${said}, below ${text(most, 3)}`
        : `${said} and is dry by ${text(answers - most, 3)}`;
    },
  });
});

// Why the level moves: where there is less room below the old one than water, it rises.
/** @param {number[]} floor @param {number} gamma @param {number} volume */
const room = (floor, gamma, volume) =>
  ` Below the old level there is room for ${text(
    floor.reduce((sum, c) => sum + Math.max(0, gamma - c), 0),
    3,
  )} units of water now, and ${text(volume, 3)} are poured in.`;

export const level = maker(step => {
  const { run, t, next, mask } = step;
  const gamma = run.before("objective", next);
  const now = run.objective[next];
  const { c, wet: under } = poured(step);
  const rows = members(mask);
  const range = Math.max(...rows.map(i => Math.abs(c[i])), Math.abs(gamma), 1e-12);
  if (!(Math.abs(now - gamma) > Math.max(SURE * range, PLAIN * Math.max(gamma, now)))) return null;
  const [i] = step.drawn;
  const { f, b } = after(step);
  const floor = rows.map(j => run.y[j] * (f[j] - b));
  // those who move the level
  const moved = rows.flatMap((j, k) => (under[j] ? [floor[k] - c[j]] : []));
  const raised = moved.filter(v => v > SURE * range).length;
  const lowered = moved.filter(v => v < -SURE * range).length;
  const still = moved.length - raised - lowered;
  const scale = run.project?.[next] ?? 1;
  const added = (run.y[i] * (f[i] - b)) / scale - c[i];
  return asked(step, "level", {
    ...choice(["it rises", "it falls"], now > gamma ? 0 : 1),
    drawn: [i],
    covers: ["mechanism", "numbers", "curves"],
    values: {
      gamma,
      new: now,
      lift: added,
      k: moved.length,
      raised,
      lowered,
      scaled: [
        scale < 1 && `, as w had to be scaled by ${text(scale, 3)}`,
        still && `; ${still} hardly moved`,
      ]
        .filter(Boolean)
        .join(""),
      room: step.params.bias ? "" : room(floor, gamma, step.params.nu * rows.length),
      t,
    },
  });
});
