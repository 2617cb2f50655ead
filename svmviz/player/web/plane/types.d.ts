// The plane and its field.

type Editor = import("./editor.js").Editor;
type FieldImage = import("./field.js").FieldImage;
type Plane = import("./map.js").Plane;
type World = ReturnType<typeof import("./world.js").worldOf>;

/** A field for the plane to paint: how steep its colours are, and lines of f = 0 to compare. */
interface Shown {
  field: Float64Array;
  gain?: number;
  lines?: Float64Array[]; // where these are 0, or ...
  levels?: number[]; // ... where the field has these heights; -1, 0 and 1 unless said
  tint?: Float64Array; // what its colour is of, if not the field itself
}
