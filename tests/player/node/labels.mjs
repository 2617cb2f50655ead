// Labels without a browser, for test_labels.py: letters are five wide, nothing is written.

const { Labels } = await import(`${process.argv[2]}/canvas/labels.js`);

const nothing = () => {};
const pen = {
  measureText: words => ({ width: 5 * words.length }),
  setLineDash: nothing,
  strokeText: nothing,
  fillText: nothing,
};
const theme = { unit: 1, font: "sans", bg: "white", ink: "black" };

/** Where ten letters go, of two places above one another, when these paths pass. */
const put = (...curves) => {
  const labels = new Labels(pen, theme, { right: 200, bottom: 100 });
  labels.curves = curves;
  return labels.put("0123456789", {}, [100, 20], [100, 60])?.top;
};

console.log(
  JSON.stringify({
    bare: put(),
    upper: put([
      [0, 16],
      [200, 16],
    ]),
    both: put(
      [
        [0, 16],
        [200, 16],
      ],
      [
        [130, 0],
        [130, 100],
      ],
      [
        [0, 56],
        [120, 56],
      ],
    ),
    beside: put([
      [0, 16],
      [90, 16],
    ]),
  }),
);
