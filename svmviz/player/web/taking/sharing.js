// Links to a moment: presented, embedded, for students, or as a code for phones.

import { make } from "../canvas/elements.js";
import { tick } from "../canvas/fields.js";
import { CONTROLS } from "../hall/presenting.js";
import { hasLibraries, library } from "../browser/library.js";
import { LOCAL } from "../stage/line.js";
import { Segments } from "../canvas/segments.js";

const MOST = 1200; // characters of a link in a code that a phone still reads from a seat
const SHOWN = 90; // of them below it
const ON_STAGE = ["play", "step", "scrub", "speed", "draw", "fork", "quiz", "actions"];
const BESIDE = ["knobs", "data", "solver", "run", "files"];

/** @type {Record<string, { title: string, about: string }>} */
const WAYS = {
  moment: { title: "This moment", about: "Opens the app at this moment." },
  present: { title: "Presented", about: "Opens as for a projector. F11 then fills the screen." },
  students: {
    title: "For students",
    about:
      "Only what is ticked is there. It is a guide, not a lock: whoever changes the link has everything.",
  },
  embed: {
    title: "Embedded",
    about: "The stage alone, for a course page: no menu, no sidebar.",
  },
};

// A dialog in which the link is put together.
/** @param {Dialogs} dialogs */
export function share(dialogs) {
  const { hall } = dialogs.stage;
  const body = make("div", { className: "sharing" });
  const about = make("p");
  const link = make("textarea", { readOnly: true, rows: 4, ariaLabel: "Link" });
  const usual = ["play", "step", "scrub", "speed", "quiz", "knobs"];
  const panels = group("Panels", hall.titles, hall.panels ?? hall.names, write);
  const controls = group("Controls", CONTROLS, hall.controls ?? usual, write);
  let way = "moment";
  const ways = new Segments(body, "What for", name => {
    way = name;
    write();
  });
  const titles = Object.fromEntries(Object.entries(WAYS).map(([name, { title }]) => [name, title]));
  function write() {
    const guided = way === "students" || way === "embed";
    ways.offer(titles, way);
    about.textContent = WAYS[way].about;
    panels.box.hidden = !guided || hall.names.length < 2;
    controls.box.hidden = !guided;
    for (const name of BESIDE) controls.boxes[name].hidden = way === "embed";
    link.value = words();
  }
  function words() {
    if (way === "moment") return dialogs.address(hall.words("present", "also"));
    if (way === "present") return dialogs.address({ ...hall.words(), present: "1" });
    const chosen = panels.chosen();
    const few = chosen.length > 0 && chosen.length < hall.names.length;
    const offered = way === "embed" ? ON_STAGE : [...ON_STAGE, ...BESIDE];
    const address = dialogs.address({
      ...hall.words("present", "also", "zoom"),
      ...(few && { panels: chosen.join(",") }),
      controls: controls
        .chosen()
        .filter(name => offered.includes(name))
        .join(","),
      ...(way === "embed" && { embed: "true" }),
    });
    if (way === "students") return address;
    const quoted = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    return `<iframe src="${quoted}" width="800" height="450" style="border: 0" allowfullscreen></iframe>`;
  }
  write();
  body.append(about, panels.box, controls.box, link);
  dialogs.open(
    "Link to this moment",
    body,
    ["Copy", () => dialogs.copy(link.value, "Link copied")],
    ...(hasLibraries()
      ? [/** @type {[string, () => void]} */ (["Code for phones (I)", () => dialogs.code()])]
      : []),
  );
}

// Boxes to tick, by name.
/**
 * @param {string} title
 * @param {Record<string, string>} names
 * @param {string[]} ticked
 * @param {() => void} changed
 */
function group(title, names, ticked, changed) {
  const on = new Set(ticked);
  const boxes = Object.fromEntries(
    Object.entries(names).map(([name, words]) => {
      const turned = (/** @type {boolean} */ checked) => {
        if (checked) on.add(name);
        else on.delete(name);
        changed();
      };
      return [name, tick(words, on.has(name), turned)];
    }),
  );
  const box = make("fieldset");
  box.append(make("legend", { textContent: title }), ...Object.values(boxes));
  return { box, boxes, chosen: () => Object.keys(names).filter(name => on.has(name)) };
}

// The moment as a code, as large as the screen lets it be. Whoever reads it wants the stage as a
// phone shows it.
/** @param {Dialogs} dialogs */
export async function showCode(dialogs) {
  if (!hasLibraries())
    return dialogs.say("A saved page has no code: it is in this file, not on the network");
  const link = dialogs.address(dialogs.stage.hall.words("present", "also", "zoom"));
  if (link.length > MOST)
    return dialogs.say(
      `This link has ${link.length} characters, too many for a code that a phone could read: copy it instead`,
    );
  let code;
  try {
    const { correction, generate } = await library("lean-qr");
    code = generate(link, { minCorrectionLevel: correction.L, maxCorrectionLevel: correction.Q });
  } catch {
    return dialogs.say("The code could not be made: the server is away, or the link is too long");
  }
  const canvas = make("canvas", { className: "qr" });
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "Code of the link to this moment");
  code.toCanvas(canvas, { on: [0, 0, 0, 255], off: [255, 255, 255, 255], padX: 4, padY: 4 });
  const body = make("div", { className: "phones" });
  body.append(canvas, make("p", { textContent: shortened(link), title: link }));
  if (LOCAL.test(location.hostname))
    body.append(
      make("p", {
        className: "warning",
        textContent: "This address is known to this computer only.",
      }),
    );
  dialogs.open("Open this moment on your phone", body);
}

// Where it leads, short enough to be read.
/** @param {string} link */
const shortened = link => {
  const plain = link.replace(/^https?:\/\//, "");
  return plain.length > SHOWN ? `${plain.slice(0, SHOWN)} …` : plain;
};
