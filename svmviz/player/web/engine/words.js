// The sentences of a run: its templates with the values of a step.

const FIELD = /\{(\w+)(?::(?:\.(\d))?([fg])(?:≠(\w+)|=(\w+)([+-])(\w+))?|:(s))?\}/g;

// Fill {name:.2f} and {name:.3g} as words.fill does, and compare as it does: {a:.2f≠b} has digits
// enough to differ from b, {a:.2f=b-c} to add up, {n:s} is the s of a plural. *Stars* become the
// accent of what is now.
/** @param {string} template @param {Record<string, unknown>} values */
export function fill(template, values) {
  return template.replace(FIELD, (_, name, digits = 6, kind, other, left, sign, right, s) => {
    const v = values[name];
    if (s) return v === 1 ? "" : s;
    if (!kind) return typeof v === "number" ? counted(v) : String(v);
    const asked = { kind, digits: +digits };
    if (other) return numeral(Number(v), apart(asked, Number(v), Number(values[other])));
    if (!left) return numeral(Number(v), asked);
    const parts = [Number(values[left]), (sign === "-" ? -1 : 1) * Number(values[right])];
    return numeral(Number(v), addingUp(asked, Number(v), parts));
  });
}

/** @typedef {{ kind: string, digits: number }} Form */

/** @param {number} v @param {Form} form */
const numeral = (v, { kind, digits }) => group(kind === "f" ? fixed(v, digits) : plain(v, digits));

// Decimals of which the largest of some numbers has no more digits than player and server agree on.
/** @param {number[]} numbers */
const most = numbers =>
  SURE - Math.max(0, 1 + Math.floor(Math.log10(Math.max(...numbers.map(Math.abs)))));

// The form in which two numbers read differently, if they differ.
/** @param {Form} asked @param {number} a @param {number} b */
function apart(asked, a, b) {
  if (!(Math.abs(a - b) > ALIKE * Math.max(Math.abs(a), Math.abs(b)))) return asked;
  for (let { digits } = asked; digits <= (asked.kind === "g" ? SURE : most([a, b])); digits++) {
    const form = { ...asked, digits };
    if (numeral(a, form) !== numeral(b, form)) return form;
  }
  return asked;
}

// The form in which a sum of two is what it reads as; of significant digits the smallest number has
// so many.
/** @param {Form} asked @param {number} total @param {number[]} parts */
function addingUp(asked, total, parts) {
  const numbers = [total, ...parts];
  if (!numbers.every(Number.isFinite) || !numbers.some(Boolean)) return asked;
  const least = Math.min(...numbers.filter(Boolean).map(Math.abs));
  const first = Math.max(0, asked.digits - 1 - Math.floor(Math.log10(least)));
  for (let digits = asked.kind === "f" ? asked.digits : first; digits <= most(numbers); digits++) {
    const [whole, left, right] = numbers.map(v => Math.round(+v.toFixed(digits) * 10 ** digits));
    if (whole === left + right) return { kind: "f", digits };
  }
  return asked;
}

// How much of a thing, in front of its name: of one whole nothing is said.
/** @param {number} share */
export const times = share => (plain(share, 3) === "1" ? "" : `${signed(plain(share, 3))} `);

// What templates may name at step t: the parameters, and the live quantities.
/** @param {View} view */
export const named = ({ run, t, values }) => ({ ...run.segment(t).params, ...values });

// The minus of a number, a true one; a zero has none.
/** @param {string} number */
const signed = number => number.replace(/^-(?=[0.]+$)/, "").replaceAll("-", "−");

// A number with a true minus, and its thousands apart from five digits before the point on.
/** @param {string} number */
export function group(number) {
  const [, whole, rest] = /** @type {string[]} */ (/^([−-]?\d*)(.*)$/s.exec(number));
  const large = whole.replace(/[−-]/, "").length > 4;
  return signed((large ? whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") : whole) + rest);
}

// So many, in words.
/** @param {number} n */
export const counted = n => group(String(n));

// So many of a thing, which takes an s unless it is one; a verb that follows loses its own.
/** @param {number} n @param {string} noun */
export const plural = (n, noun) => `${counted(n)} ${noun}${n === 1 ? "" : "s"}`;

// Who stands more than once in a mini-batch, and how often: a multi-set may have an example again.
/** @param {number[]} drawn */
export function repeated(drawn) {
  const times = new Map();
  for (const i of drawn) times.set(i, (times.get(i) ?? 0) + 1);
  return [...times].filter(([, many]) => many > 1);
}

// A number with so many decimals.
/** @param {number} v @param {number} digits */
export const decimals = (v, digits) => signed(v.toFixed(digits));

// A number with so many significant digits.
/** @param {number} v @param {number} digits */
export const significant = (v, digits) => signed(plain(v, digits));

const SURE = 6; // digits at most, see words.py
const ALIKE = 1e-6; // two numbers that are closer differ in nothing that player and server agree on
const [SMALL, LARGE] = [1e-4, 1e7];
const RAISED = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹";

/** @param {number} v @param {number} digits */
function fixed(v, digits) {
  const places =
    Math.abs(v) < 1e4 ? digits : Math.min(digits, SURE - 1 - Math.floor(Math.log10(Math.abs(v))));
  return places >= 0
    ? v.toFixed(places)
    : (Math.round(v / 10 ** -places) * 10 ** -places).toFixed(0);
}

// So many significant digits; rows of zeros as a power of ten, never 1e-7.
/** @param {number} v @param {number} digits */
function plain(v, digits) {
  if (!v || !Number.isFinite(v) || (Math.abs(v) >= SMALL && Math.abs(v) < LARGE))
    return String(+v.toPrecision(digits));
  const [mantissa, exponent] = v.toExponential(digits - 1).split("e");
  const power = `10${[...exponent.replace("+", "")].map(c => RAISED["-0123456789".indexOf(c)]).join("")}`;
  const short = String(+mantissa);
  return short === "1" ? power : short === "-1" ? `-${power}` : `${short}·${power}`;
}

const CLAUSE = /[,;:.]$/; // what ends one
const CHAIN = /^[=←]$/; // leads on from one term to the next
const SUM = /^[+−]$/;
const JOINT = /^[=←→<>≤≥≈+−·×∘]$/;
const WORD = /^\(?[A-Za-z]{2,}[^\d[(]*$/;
// characters: a sum of more may break before a sign, or a phone would have no line for it
const LONG = 30;

// A sentence whose lines break between words and between the links of a chain a = b = c, not inside
// of a term or of its first equation.
/** @param {string} words */
export function unbroken(words) {
  let out = "";
  let last = ""; // what stood before
  let depth = 0; // of parentheses
  let chained = false; // this clause has a = b already
  for (const piece of words.split(" ")) {
    const plain = piece.replaceAll("*", "");
    const ended = CLAUSE.test(last) && !depth;
    const link = CHAIN.test(plain);
    const long = !depth && out.length - out.lastIndexOf(" ") > LONG;
    const opens = ended || (link && chained) || (SUM.test(plain) && long);
    const joined = [last, plain].some(p => JOINT.test(p)) || ![last, plain].some(p => WORD.test(p));
    out += (last && (joined && !opens ? "\u00a0" : " ")) + piece;
    chained = ended ? link : chained || link;
    depth += (plain.match(/[([]/g)?.length ?? 0) - (plain.match(/[)\]]/g)?.length ?? 0);
    last = plain;
  }
  return out;
}

// What is said of a step, at a depth.
/** @param {View} view @param {Depth} [depth] */
export function sentence(view, depth = view.depth) {
  const { run, t, segment, changed } = view;
  if (changed) {
    return `After step ${counted(t)}: *${segment.label}*. From here on all is judged by that, and step ${counted(t + 1)} is taken with it.`;
  }
  return run.said[depth]
    .filter((template, bit) => template && (run.spoken[t] >> bit) & 1)
    .map(template => fill(template, named(view)))
    .join(" ");
}

// What the sentence says in a moment: what happened, or what the visitor supposes.
/** @param {View} view */
export const said = view => view.supposed?.words ?? sentence(view);
