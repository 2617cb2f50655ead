// A race.

type Race = import("./main.js").Stage;
type Lane = import("./lane.js").Lane;

/** A rival in a race, as the server tells it. */
interface Spec {
  key: string;
  title: string;
  steps: number;
  pace: number;
  chance: boolean;
  iterate: Params["iterate"];
  shape: string;
  light: string;
  dark: string;
  dash: number[]; // of its curve
}

/** A race as the server tells it; curves and runs are arrays by name. */
interface RaceData {
  id: string;
  rivals: Spec[];
  groups: { title: string; lanes: string[] }[]; // of lanes that are many; else there are none
  axes: Record<string, string>;
  ends: Record<string, string>;
  seeds: number;
  optimum: { primal: number; unproven: number; [metric: string]: number };
  yardstick: {
    key: string;
    short: string;
    title: string;
    trained: string;
    told: string;
    share: boolean;
  };
  tested: boolean;
  tested_on: string;
  stale: { was: string; now: string } | null;
  view: { t?: number; x: string; y: string; serial: number | null };
  query: Record<string, string>;
  python: string;
  about: string;
  address: string;
  [axis: `x.${string}`]: Numbers; // its stops
  [run: `run.${string}`]: Uint8Array;
  [curve: `${string}.${string}.${string}`]: Numbers | undefined; // three stretches: a decile, the median, a decile
}
