// What is drawn: the pen, colours and type, scales, boxes, layers.

type Pen = CanvasRenderingContext2D & { written?: Written[] };

type Written = {
  words: string;
  x: number;
  y: number;
  font: string;
  align: CanvasTextAlign;
  base: CanvasTextBaseline;
};

type Sheet = import("./draw.js").Sheet;
type Labels = import("./labels.js").Labels;
type Caption = import("./labels.js").Caption;

/** Colours and type of a page. */
interface Theme {
  dark: boolean;
  font: string;
  unit: number;
  palette: Uint32Array;
  classes: string[];
  tints: Uint32Array[];
  bg: string;
  side: string;
  band: string;
  hair: string;
  grid: string;
  ghost: string;
  ink: string;
  ink2: string;
  muted: string;
  ui: string;
  plus: string;
  plus_text: string;
  minus: string;
  minus_text: string;
  now: string;
  floor: string;
  optimum: string;
  bound: string;
  water: string;
  surface: string;
  slate: string; // the first of two runs, or one that was there before
}

/** From numbers to pixels, and back. */
interface Scale {
  (value: number): number;
  d0: number;
  d1: number;
  r0: number;
  r1: number;
  back(pixel: number): number;
}

/** How words are written. */
interface Look {
  size?: number;
  weight?: number;
  color?: string;
  align?: CanvasTextAlign;
  base?: CanvasTextBaseline;
  halo?: string | null;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

type Frame = Partial<Box> & { right: number; bottom: number };

interface Mark {
  x: number;
  y: number;
  r: number;
  kind?: Kind;
  positive?: boolean;
}

/** All points in their least size, painted once; `upto` is the step whose newcomers are in. */
interface Layer {
  canvas: HTMLCanvasElement;
  faint: HTMLCanvasElement;
  key: string;
  mask: Uint8Array;
  theme: Theme;
  upto: number;
}

/** Where a picture goes, and how smooth it must be. */
type Where = [x: number, y: number, w: number, h: number, quality: ImageSmoothingQuality];
