// The position (t, phase) in a trace and how it moves: playing, stepping, seeking, beat by beat.
// The stages (shell.js) draw it.

import { beatStops } from "../engine/beats.js";
import { elsewhere } from "./keys.js";
import { SLOW, SPEEDS } from "./transport.js";

const QUIET = 100; // ms between changes of the text while it runs fast

export class Clock {
  // Where it stands, and how it moves.
  t = 0;
  phase = 1;
  speed = 1;
  playing = false;
  stepping = false; // a step or a beat that was asked for, up to `stop`
  stop = 1;
  carry = 0; // of a step
  loop = false;
  until = 0; // the step where it stops playing by itself, one step a second; 0: it does not
  /** @type {AbortController | null} */ showing = null; // until the visitor does something
  asked = false; // for more of the run
  limit = Infinity; // the last step that may be shown: a question is open about the next
  /** @type {number | undefined} */ last; // frame
  request = 0;
  draws = 0;
  /** @type {number[]} */ intervals = [];
  // What heirs may set otherwise.
  calm = 1200; // ms that an opening stands still before it plays
  // What is shown.
  /** @type {Run} */ run;
  /** @type {{ x: string, y: string }} */ axes;
  /** @type {Supposing | null} */ supposed = null;
  /** @type {number | null} */ serial = null;
  touched = false;
  gone = false;
  spokenAt = 0;
  reported = "";
  answered = 0; // the last knob that it knows of
  still = matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {ReturnType<typeof setTimeout>} */ reporting;
  // What heirs build.
  /** @type {Transport} */ transport;
  /** @type {Dialogs} */ dialogs;
  /** @type {Component["setStateValue"]} */ setStateValue;
  /** @type {Component["setTriggerValue"]} */ setTriggerValue;

  constructor() {
    this.tick = this.tick.bind(this);
  }

  // What heirs do.
  /** @param {number} [_time] */
  paint(_time) {}

  // At most so far, where a run has become shorter: the address must not go on to name a step
  // beyond its end.
  /** @param {number} T */
  stay(T) {
    if (this.t <= T) return;
    this.t = T;
    this.report();
  }

  // Whether text may change now: always while it is calm, else ten times a second.
  /** @param {number} time @param {boolean} calm */
  speaks(time, calm) {
    const loud = calm || time - this.spokenAt > QUIET;
    if (loud) this.spokenAt = time;
    return loud;
  }

  // Steps a second.
  get pace() {
    return this.until ? 1 : this.speed;
  }

  get slow() {
    return this.pace < SLOW || !this.playing;
  }

  // Play so many steps slowly, and then wait; whatever key or button the visitor presses ends that.
  /** @param {number} steps */
  show(steps) {
    this.leave();
    if (!steps || this.still.matches) return;
    const { signal } = (this.showing = new AbortController());
    const begin = setTimeout(() => {
      this.until = this.t + steps;
      this.start(true);
    }, this.calm);
    signal.addEventListener("abort", () => clearTimeout(begin));
    // Space and the play button stop it by themselves
    /** @param {Event} event */
    const stops = event =>
      event instanceof KeyboardEvent
        ? event.key === " " && !elsewhere(event)
        : event.composedPath().includes(this.transport.play);
    for (const name of ["keydown", "pointerdown"])
      addEventListener(name, event => this.leave(!stops(event)), { capture: true, signal });
  }

  // What is shown is over; whether the clock is to stop, too.
  /** @param {boolean} [still] */
  leave(still = true) {
    this.showing?.abort();
    if (still && this.until && this.playing) this.start(false);
    this.until = 0;
    this.showing = null;
  }

  /** @param {boolean} [on] */
  toggle(on = !this.playing) {
    if (on && this.t >= this.limit) return this.refuse();
    this.touched = true;
    this.start(on);
  }

  /** @param {boolean} on */
  start(on) {
    this.playing = on;
    this.stepping = false;
    this.supposed = null;
    this.transport.playing(on);
    if (on) {
      if (this.t >= this.run.T && this.phase >= 1 && (this.run.final || this.loop)) this.t = 0;
      this.last = undefined;
      this.carry = 0;
      this.intervals = [];
      this.schedule();
    } else {
      if (this.pace >= SLOW || this.still.matches) this.phase = 1;
      if (this.phase < 1) this.finish();
      else this.settle();
    }
  }

  beatStops(t = Math.max(this.t, 1)) {
    return beatStops(this.run.segment(t).lines, this.run.lines[t]);
  }

  /** @param {string} name */
  endOf(name) {
    return this.beatStops().find(({ beat }) => beat === name)?.at ?? 1;
  }

  finish() {
    // the beat that has begun: numbers and link are those of its end
    this.stop = this.beatStops().find(({ at }) => at >= this.phase)?.at ?? 1;
    this.stepping = true;
    this.schedule();
  }

  schedule() {
    cancelAnimationFrame(this.request);
    this.request = requestAnimationFrame(this.tick);
  }

  repaint() {
    if (!this.playing && !this.stepping) this.schedule();
  }

  /** @param {number} now */
  tick(now) {
    const elapsed = this.last === undefined ? 0 : Math.min(now - this.last, 250) / 1000;
    if (this.last !== undefined && this.playing) this.intervals.push(now - this.last);
    if (this.intervals.length > 2000) this.intervals.splice(0, 1000);
    this.last = now;
    if (this.playing || this.stepping) this.advance(elapsed);
    this.paint(now);
    if (this.playing || this.stepping) this.request = requestAnimationFrame(this.tick);
    else this.last = undefined;
  }

  /** @param {number} elapsed */
  advance(elapsed) {
    const speed = this.playing ? this.pace : 1.6;
    if (speed < SLOW && !this.still.matches) {
      if (this.phase >= 1 && this.playing && !this.next()) return;
      this.phase += elapsed * speed;
      while (this.phase >= 1) {
        const over = this.phase - 1;
        this.phase = 1;
        if (!this.playing || !this.next()) break;
        this.phase = over;
      }
      if (this.stepping && this.phase >= this.stop) {
        this.stepping = false;
        this.phase = this.stop;
        this.settle();
      }
    } else {
      this.stepping = false;
      this.phase = 1;
      this.carry = this.carry + elapsed * speed;
      const steps = Math.floor(this.carry);
      this.carry -= steps;
      for (let s = 0; s < steps && this.next(true); s++);
    }
    this.more();
  }

  /** @param {boolean} [fast] */
  next(fast) {
    // on to the next step, if there is one
    if (this.t >= this.limit) {
      this.toggle(false);
      this.refuse();
      return false;
    }
    if (this.until && this.t >= this.until) {
      this.leave();
      return false;
    }
    if (this.t < this.run.T) {
      this.t++;
      this.phase = fast ? 1 : 0;
      return true;
    }
    if (this.loop) {
      this.t = 0;
      return true;
    }
    if (this.run.final) this.toggle(false); // else wait: more is on its way
    return false;
  }

  more() {
    const left = this.run.T - this.t;
    if (this.asked || this.loop || this.run.final || left > Math.max(10, this.speed * 1.5)) return;
    this.asked = true;
    this.setTriggerValue("more", { T: this.run.T, t: this.t });
  }

  /** @param {number} t @param {boolean} [settle] */
  seek(t, settle) {
    this.touched = true;
    this.stepping = false;
    this.supposed = null;
    if (Math.min(this.run.T, t) > this.limit) this.refuse();
    this.t = Math.max(0, Math.min(this.run.T, this.limit, Math.round(t)));
    this.phase = 1;
    this.carry = 0;
    this.repaint();
    if (settle) this.settle();
  }

  refuse() {
    this.dialogs.say("Check your answer first");
  }

  rest() {
    // step t is over
    this.stepping = false;
    this.phase = 1;
    this.settle();
  }

  // One step back or on; up to `stop`, where it is not to be taken whole.
  /** @param {number} by @param {number} [stop] */
  step(by, stop = 1) {
    if (this.playing) this.toggle(false);
    if (by < 0) return this.seek(this.t - 1, true);
    // A step that rests at a beat is ended first; who presses again while it runs means the next
    // one.
    const midway = this.phase < 1 && this.t > 0 && !(this.stepping && this.stop === 1);
    if (!midway && this.t >= this.limit) return this.refuse();
    if (!midway && this.t >= this.run.T) {
      this.more();
      return;
    }
    this.touched = true;
    this.supposed = null;
    if (!midway) this.t++;
    if (this.still.matches) {
      this.seek(this.t);
      this.phase = stop;
      return this.settle();
    }
    if (!midway) this.phase = 0;
    this.stop = stop;
    this.last = undefined;
    this.stepping = true;
    this.more();
    this.schedule();
  }

  /** @param {number} by */
  beat(by) {
    if (this.playing) this.toggle(false);
    this.stepping = false;
    this.supposed = null;
    const ends = this.beatStops().map(({ at }) => at);
    let k = ends.findIndex(e => e >= this.phase - 1e-9) + by;
    if (this.t === 0 && by < 0) return;
    if (k >= ends.length || this.t === 0) {
      if (this.t >= this.run.T) return;
      if (this.t >= this.limit) return this.refuse();
      this.t++;
      k = 0;
    }
    if (k < 0) {
      this.t--;
      k = ends.length - 1;
    }
    this.phase = this.t === 0 ? 1 : ends[k];
    this.touched = true;
    this.repaint();
    this.settle();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.carry = 0;
    if (speed >= SLOW) this.phase = 1;
    this.transport.speed.value = String(speed);
    this.repaint();
  }

  /** @param {number} by */
  faster(by) {
    const k = SPEEDS.indexOf(this.speed) + by;
    if (k >= 0 && k < SPEEDS.length) this.setSpeed(SPEEDS[k]);
  }

  toggleLoop() {
    this.loop = !this.loop;
    this.transport.loop.setAttribute("aria-pressed", String(this.loop));
    this.dialogs.say(this.loop ? "Loop on: the run starts again at its end" : "Loop off");
  }

  // How far an arrow goes with Shift.
  get stride() {
    return 1;
  }

  restart() {
    this.setTriggerValue("restart", { serial: this.serial });
  }

  settle() {
    // paused: say it, and let the address bar follow
    this.repaint();
    this.report();
  }

  // Where the stage is, with the number of the order that led there: whoever was sent back and goes
  // to the same step again says so again.
  whereabouts() {
    return { t: this.t, ...this.axes, serial: this.serial };
  }

  // The last knob is this one; returns which was before.
  /** @param {Run["knob"]} knob */
  newest(knob) {
    const behind = this.answered;
    this.answered = knob?.id ?? 0;
    return behind;
  }

  // Say where it is to a server that may not know, even while it plays.
  greet() {
    if (this.run) this.setStateValue("view", { ...this.whereabouts(), knob: this.answered });
  }

  // A visitor is about to go to another page, and will look for what he sees here when he is back.
  depart() {
    if (!this.playing) return;
    this.toggle(false);
    this.greet();
  }

  report() {
    clearTimeout(this.reporting);
    this.reporting = setTimeout(() => {
      if (this.playing || this.gone) return;
      const view = this.whereabouts();
      const key = JSON.stringify(view);
      if (key !== this.reported) this.setStateValue("view", { ...view, knob: this.answered });
      this.reported = key;
    }, 150);
  }
}
