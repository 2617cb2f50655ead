// The pen that writes SVG, without a browser: draws a little on canvases that keep only their state, for test_saving.py.

const { Drawing, penFor } = await import(`${process.argv[2]}/saving/svgpen.js`);
const { framesIn, standing, order, hundredths } = await import(
  `${process.argv[2]}/saving/frames.js`
);

const UNIT = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
const NOTHING = [
  "beginPath",
  "closePath",
  "moveTo",
  "lineTo",
  "quadraticCurveTo",
  "bezierCurveTo",
  "arc",
]
  .concat("rect", "roundRect", "clip", "fill", "stroke", "fillRect", "strokeRect", "clearRect")
  .concat("fillText", "strokeText", "drawImage", "putImageData");

class Paper {
  fillStyle = "#000000";
  strokeStyle = "#000000";
  globalAlpha = 1;
  lineWidth = 1;
  lineCap = "butt";
  lineJoin = "miter";
  font = "10px sans-serif";
  textAlign = "left";
  textBaseline = "alphabetic";
  letterSpacing = "0px";
  globalCompositeOperation = "source-over";
  imageSmoothingEnabled = true;
  m = UNIT;
  dash = [];
  kept = [];
  getTransform = () => this.m;
  setTransform = (a, b, c, d, e, f) => (this.m = { a, b, c, d, e, f });
  translate = (x, y) =>
    (this.m = { ...this.m, e: this.m.e + this.m.a * x, f: this.m.f + this.m.d * y });
  save = () => this.kept.push({ ...this });
  restore = () => Object.assign(this, this.kept.pop());
  getLineDash = () => this.dash;
  setLineDash = dash => (this.dash = dash);
  measureText = words => ({
    width: 5 * words.length,
    fontBoundingBoxAscent: this.textBaseline === "middle" ? 5 : 9,
  });
  constructor() {
    for (const name of NOTHING) this[name] = () => {};
  }
}

const drawings = new Map();
const made = (width = 200, height = 100) => {
  const canvas = { width, height, isConnected: false };
  const drawing = new Drawing(new Paper(), other => drawings.get(other));
  drawings.set(canvas, drawing);
  return { canvas, drawing, g: penFor(drawing) };
};

const { drawing, g } = made();
g.fillStyle = "rgba(0, 150, 152, 0.5)";
g.fillRect(1, 2, 3, 4);
g.save();
g.beginPath();
g.rect(10, 10, 50, 50);
g.clip();
g.setTransform(2, 0, 0, 2, 0, 0);
g.beginPath();
g.moveTo(1, 1);
g.lineTo(5, 5);
g.strokeStyle = "#ff0000";
g.lineWidth = 1.5;
g.setLineDash([3, 2]);
g.stroke();
g.restore();
g.font = '650 12px "Source Sans"';
g.fillStyle = "#112233";
g.fillText("λ < 1 &", 20, 30);
g.fillText("more", 55, 30); // goes on where the words before end
g.textAlign = "center";
g.textBaseline = "middle";
g.fillText("mid", 100, 50);
g.beginPath();
g.arc(30, 30, 5, 0, 7);
g.fill();

const layer = made();
layer.g.setTransform(2, 0, 0, 2, 0, 0);
layer.g.font = "10px sans-serif";
layer.g.fillText("past", 10, 20);
layer.g.fillText("future", 80, 20);
layer.g.fillRect(0, 0, 4, 4);
g.globalAlpha = 0.25;
g.drawImage(layer.canvas, 0, 0, 100, 100, 0, 0, 50, 50); // its left half, half as large
g.globalAlpha = 1;

const range = { from: 1, to: 300, speed: 30, fps: 30 };
const slow = { from: 3, to: 4, speed: 1, fps: 4 };
const fast = { from: 0, to: 100, speed: 60, fps: 30 };
const all = wish => Array.from({ length: framesIn(wish) }, (_, k) => standing(wish, k));
console.log(
  JSON.stringify({
    svg: drawing.svg(200, 100, "A <title>", "about & so on"),
    same: all(range).map(({ t }) => t),
    slow: all(slow),
    fast: all(fast).map(({ t }) => t),
    back: order(4, true),
    hundredths: Array.from({ length: 30 }, (_, k) => hundredths(k, 30)),
  }),
);
