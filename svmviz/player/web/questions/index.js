// All kinds of questions, and which of them can be asked where a run stands.

import { level, wet } from "./makers/basin.js";
import { leaves, pair } from "./makers/budget.js";
import { rival, tags } from "./makers/classes.js";
import { alpha, gap, mover, pick } from "./makers/coordinates.js";
import { answer, changes, line, mistake, pays, swing } from "./makers/margins.js";
import { cells, row } from "./makers/reading.js";
import { movers, set } from "./makers/sets.js";
import { pull, tube } from "./makers/residuals.js";
import { entry, share } from "./makers/twins.js";

/** @type {Record<string, Maker>} */
export const makers = {
  alpha,
  answer,
  cells,
  changes,
  entry,
  gap,
  leaves,
  level,
  line,
  mistake,
  mover,
  movers,
  pair,
  pays,
  pick,
  pull,
  rival,
  row,
  set,
  share,
  swing,
  tags,
  tube,
  wet,
};

// All that can be asked about the step after t, easiest first.
/** @param {Asker} at */
export const questionsAt = at =>
  at.run.questions.flatMap(({ kind }) => {
    const found = makers[kind]?.(at);
    return found ? [found] : [];
  });
