// A clip of a run, made frame by frame: MP4 or WebM by the encoders of the browser, or GIF.

import { library } from "../browser/library.js";
import { Film, SIZES } from "./film.js";
import { framesIn, hundredths, order, standing } from "./frames.js";

/**
 * @typedef {object} Wish
 * @property {number} from
 * @property {number} to
 * @property {number} speed
 * @property {number} fps
 * @property {string} kind
 * @property {string} size
 * @property {string[]} show
 * @property {boolean} again
 * @property {boolean} back
 */
/** @typedef {(done: number, all: number) => void} Telling */

/** @type {Record<string, { name: string, type: string, codecs: string[], format: string }>} */
export const VIDEOS = {
  mp4: { name: "MP4", type: "video/mp4", codecs: ["avc"], format: "Mp4OutputFormat" },
  webm: { name: "WebM", type: "video/webm", codecs: ["vp9", "vp8"], format: "WebMOutputFormat" },
};
const BITS = 0.15; // a pixel of a frame, at most; flat colours need less
const COLOURS = 255; // of a GIF, and one that is seen through
const LOOKS = 6; // frames from which its colours are taken
const KEY = 2; // s between frames that need no other

/** @param {Wish} wish */
export const bitsOf = ({ size, fps }) =>
  Math.round(SIZES[size][0] * SIZES[size][1] * Math.min(fps, 30) * BITS);

// The first of its codecs that this browser can write; none where there is no encoder, or no secure
// address.
/** @param {Wish} wish */
export async function codecFor(wish) {
  if (!("VideoEncoder" in globalThis)) return null;
  const { canEncodeVideo } = await library("mediabunny");
  const [width, height] = SIZES[wish.size];
  for (const codec of VIDEOS[wish.kind].codecs)
    if (await canEncodeVideo(codec, { width, height, bitrate: bitsOf(wish) })) return codec;
  return null;
}

/** @param {Stage} stage @param {Wish} wish @param {AbortSignal} signal @param {Telling} tell */
export async function clip(stage, wish, signal, tell) {
  await document.fonts.ready;
  const film = new Film(stage, wish.size, wish.show, wish.kind === "gif");
  try {
    return await (wish.kind === "gif" ? gif : video)(film, wish, signal, tell);
  } finally {
    film.end();
  }
}

/** @param {Film} film @param {Wish} wish @param {AbortSignal} signal @param {Telling} tell */
async function video(film, wish, signal, tell) {
  const codec = await codecFor(wish);
  const { type, format, name } = VIDEOS[wish.kind];
  if (!codec) throw new Error(`This browser cannot write ${name}`);
  const { Output, BufferTarget, CanvasSource, [format]: Format } = await library("mediabunny");
  const target = new BufferTarget();
  const output = new Output({ format: new Format(), target });
  const source = new CanvasSource(film.canvas, {
    codec,
    bitrate: bitsOf(wish),
    keyFrameInterval: KEY,
  });
  output.addVideoTrack(source, { frameRate: wish.fps });
  try {
    await output.start();
    const count = framesIn(wish);
    for (let k = 0; k < count; k++) {
      await breath(signal);
      film.show(standing(wish, k), wish.speed);
      await source.add(k / wish.fps, 1 / wish.fps);
      tell(k + 1, count);
    }
    signal.throwIfAborted();
    await output.finalize();
  } catch (error) {
    await output.cancel();
    throw error;
  }
  return new Blob([target.buffer], { type });
}

/** @param {Film} film @param {Wish} wish @param {AbortSignal} signal @param {Telling} tell */
async function gif(film, wish, signal, tell) {
  const { GIFEncoder, quantize, applyPalette } = await library("gifenc");
  const { width, height } = film.canvas;
  const count = framesIn(wish);
  const all = order(count, wish.back);
  /** @param {number} k */
  const look = k => {
    film.show(standing(wish, k), wish.speed);
    return film.g.getImageData(0, 0, width, height).data;
  };
  const some = [
    ...new Set(
      Array.from({ length: LOOKS }, (_, k) => Math.floor((k * (count - 1)) / (LOOKS - 1))),
    ),
  ];
  const seen = new Uint8ClampedArray(some.length * width * height * 4);
  for (const [at, k] of some.entries()) {
    await breath(signal);
    seen.set(look(k), at * width * height * 4);
  }
  const palette = quantize(seen, COLOURS);
  const through = palette.length;
  const full = [...palette, [0, 0, 0]];
  const encoder = GIFEncoder();
  /** @type {Uint8Array | null} */
  let before = null;
  for (const [at, k] of all.entries()) {
    await breath(signal);
    /** @type {Uint8Array} */
    const now = applyPalette(look(k), palette);
    // what stays as it was is seen through, and costs nothing
    const changed = before ? now.map((c, p) => (c === before?.[p] ? through : c)) : now;
    encoder.writeFrame(changed, width, height, {
      palette: at ? undefined : full,
      delay: 10 * hundredths(at, wish.fps),
      repeat: wish.again ? 0 : -1,
      transparent: at > 0,
      transparentIndex: through,
      dispose: 1,
    });
    before = now;
    tell(at + 1, all.length);
  }
  encoder.finish();
  return new Blob([encoder.bytesView()], { type: "image/gif" });
}

// The page gets its turn; timers would do in a page that is in sight, elsewhere they come once a
// second.
/** @param {AbortSignal} signal */
async function breath(signal) {
  await new Promise(go => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      go(undefined);
    };
    port2.postMessage(0);
  });
  signal.throwIfAborted();
}
