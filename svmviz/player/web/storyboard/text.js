// A storyboard as a text: what a file and a link hold. `run/storyboard.py` says how it reads, and
// reads it, too; a test holds both to each other.

export const MOST = 60;
export const TITLE = 120;
export const NOTE = 2000;
const LINK = 20000;
const FILE = 400000;
export const PACKED = 8000;
export const UNTITLED = "Storyboard";
const EXAMPLE = "?data=moons&solver=pegasos&t=20";
// eslint-disable-next-line no-control-regex
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/g;

// Characters as people and Python count them.
/** @param {string} text */
export const long = text => [...text].length;

/** @param {string} text */
const lined = text => text.replace(/\r\n?/g, "\n").replace(CONTROL, "");

/** @param {string} text */
export const tidied = text =>
  lined(text)
    .split("\n")
    .map(line => line.replace(/[ \t]+$/, ""))
    .join("\n")
    .replace(/^\n+|\n+$/g, "");

/** @param {string} text */
export const inALine = text =>
  lined(text)
    .replace(/[ \t\n]+/g, " ")
    .replace(/^ +| +$/g, "");

/** @param {string} line */
const quoted = line => `“${[...line].slice(0, 40).join("")}${long(line) > 40 ? "…" : ""}”`;

// The storyboard of a text, or an error that names all that is wrong, line by line.
/** @param {string} text @returns {BoardText} */
export function read(text) {
  const length = long(text);
  if (length > FILE)
    throw new Error(
      `line 1: a storyboard has at most ${FILE} characters, and this one has ${length}`,
    );
  const lines = lined(text.replace(/^\ufeff/, ""))
    .split("\n")
    .map(line => line.replace(/[ \t]+$/, ""));
  /** @type {string[]} */ const faults = [];
  /** @type {{ link: string, title: string, at: number, note: string[] }[]} */ const found = [];
  /** @type {{ at: number, words: string } | null} */ let heading = null;
  let title = "";
  /** @param {string} given @param {string} what @param {number} at */
  const short = (given, what, at) => {
    const words = inALine(given);
    if (long(words) > TITLE)
      faults.push(
        `line ${at}: ${what} has at most ${TITLE} characters, and this one has ${long(words)}`,
      );
    return words;
  };
  const alone = () => {
    if (heading)
      faults.push(
        `line ${heading.at}: below the heading of a moment stands its link, as in ${EXAMPLE}`,
      );
  };
  lines.forEach((line, k) => {
    const at = k + 1;
    const wanted = heading !== null || !found.length;
    if (line.startsWith("?") || (wanted && /^https?:\/\//.test(line))) {
      const link = after(line, "?").split("#")[0];
      if (!link.includes("=") || /[ \t]/.test(link) || long(link) > LINK)
        faults.push(`line ${at}: ${quoted(line)} is no link to a moment, as ${EXAMPLE} is`);
      found.push({ link, title: heading?.words ?? "", at, note: [] });
      heading = null;
    } else if (line.startsWith("## ")) {
      alone();
      heading = { at, words: short(line.slice(3), "a heading", at) };
    } else if (heading || !found.length) {
      if (line.startsWith("# ") && !title && !heading && !found.length)
        title = short(line.slice(2), "a title", at);
      else if (line)
        faults.push(
          `line ${at}: ${quoted(line)} stands before the link of a moment, which is as ${EXAMPLE}`,
        );
    } else found[found.length - 1].note.push(line.replace(/^\\/, ""));
  });
  alone();
  const moments = found.map(({ link, title, note }) => ({
    link,
    title,
    note: tidied(note.join("\n")),
  }));
  moments.forEach(({ note }, k) => {
    if (long(note) > NOTE)
      faults.push(
        `line ${found[k].at}: a note has at most ${NOTE} characters, and that of this moment has ${long(note)}`,
      );
  });
  if (moments.length > MOST)
    faults.push(
      `line ${found[MOST].at}: a storyboard has at most ${MOST} moments, and this one has ${moments.length}`,
    );
  if (faults.length) throw new Error(faults.join("\n"));
  return { title: title || UNTITLED, moments };
}

/** @param {string} line @param {string} sign */
const after = (line, sign) => (line.includes(sign) ? line.slice(line.indexOf(sign) + 1) : "");

/** @param {BoardText} board */
export function write({ title, moments }) {
  const parts = moments.map(({ link, title, note }) => {
    const lines = note
      ? note.split("\n").map(line => (/^([?\\]|## )/.test(line) ? `\\${line}` : line))
      : [];
    return [...(title ? [`## ${title}`] : []), `?${link}`, ...lines, ""].join("\n");
  });
  return [`# ${title || UNTITLED}\n`, ...parts].join("\n");
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} through
 */
const piped = (bytes, through) =>
  new Response(new Blob([bytes]).stream().pipeThrough(through)).arrayBuffer();

// Its text, for a link, behind "#board=".
/** @param {BoardText} board */
export async function packed(board) {
  const bytes = new Uint8Array(
    await piped(new TextEncoder().encode(write(board)), new CompressionStream("deflate-raw")),
  );
  const text = btoa([...bytes].map(byte => String.fromCharCode(byte)).join(""));
  const sent = text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  if (sent.length > PACKED)
    throw new Error(
      `a link to this storyboard would have ${sent.length} characters, and more than ${PACKED} do not come ` +
        "through everywhere; save it as a file, or shorten its notes",
    );
  return sent;
}

/** @param {string} sent */
export async function unpacked(sent) {
  /** @type {string} */ let text;
  try {
    if (sent.length > 4 * PACKED || !/^[\w-]*$/.test(sent)) throw new Error();
    const bytes = Uint8Array.from(atob(sent.replaceAll("-", "+").replaceAll("_", "/")), c =>
      c.charCodeAt(0),
    );
    const inflated = await piped(bytes, new DecompressionStream("deflate-raw"));
    text = new TextDecoder("utf-8", { fatal: true }).decode(inflated);
  } catch {
    throw new Error("the link to a storyboard is damaged; perhaps it was cut off");
  }
  return read(text);
}
