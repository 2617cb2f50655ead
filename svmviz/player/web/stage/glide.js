// From one moment of a run to another of the same run, so that one sees what happens on the way.

const TIME = 900; // ms

/** @param {number} s */
const eased = s => (s < 0.5 ? 4 * s ** 3 : 1 - (2 - 2 * s) ** 3 / 2);

// All that the view of a link says holds at once, but for the step, which comes within a second;
// any key or button that moves the clock ends that. Says whether it got there.
/** @param {Stage} stage @param {Seen} view @returns {Promise<boolean>} */
export function glide(stage, view) {
  const { run } = stage;
  const [from, to] = [stage.t, Math.max(0, Math.min(run.T, view.t))];
  stage.leave();
  if (stage.playing) stage.toggle(false);
  const whole = stage.phase >= 1 || stage.t === 0;
  const near = whole && to === from + 1;
  const still = stage.still.matches || document.hidden || to === from;
  place(stage, { ...view, ...(!still && { t: from, beat: "rest" }) });
  if (still) return Promise.resolve(settled(stage));
  if (near) {
    stage.step(1, stage.beatStops(to).find(({ beat }) => beat === view.beat)?.at ?? 1);
    return Promise.resolve(true);
  }
  return new Promise(done => {
    const gliding = (stage.gliding = {});
    let [last, begun] = [from, 0];
    /** @param {number} now */
    const frame = now => {
      begun ||= now;
      const moved =
        stage.gliding !== gliding || stage.playing || stage.stepping || stage.t !== last;
      if (moved || stage.gone || stage.run !== run) return done(false);
      const share = Math.min(1, (now - begun) / TIME);
      if (share === 1) {
        place(stage, view);
        return done(settled(stage));
      }
      stage.seek(from + (to - from) * eased(share));
      last = stage.t;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

// The stage obeys as if it had been told so by its server, which knows nothing of it.
/** @param {Stage} stage @param {Seen} view */
function place(stage, view) {
  const { serial } = stage;
  stage.obey({ id: "", T: stage.run.T, view: { ...view, serial: NaN, play: 0 } });
  stage.serial = serial;
  stage.layout();
}

/** @param {Stage} stage */
function settled(stage) {
  stage.settle();
  return true;
}
