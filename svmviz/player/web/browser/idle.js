// What can be done ahead, while the browser has nothing else to do.

const LEAST = 14; // ms at a time
const LEFT = 6; // ms that the browser keeps

// Call `work` with the milliseconds that it may take, as long as it says that there is more to do.
/** @param {(milliseconds: number) => boolean} work */
export function idly(work) {
  const later = globalThis.requestIdleCallback ?? (run => setTimeout(run, 30));
  /** @param {IdleDeadline | undefined} deadline */
  const some = deadline => {
    if (work(Math.max(LEAST, (deadline?.timeRemaining() ?? 0) - LEFT))) later(some);
  };
  later(some);
}
