// For test_storyboard.py: what the browser makes of the texts of storyboards, and of links to them.

import { text as all } from "node:stream/consumers";

const { read, write, packed, unpacked } = await import(`${process.argv[2]}/storyboard/text.js`);

const made = async ({ text, sent }) => {
  try {
    const board = sent === undefined ? read(text) : await unpacked(sent);
    const again = write(board);
    return {
      board,
      text: again,
      sent: await packed(board).catch(error => ({ error: error.message })),
    };
  } catch (error) {
    return { error: error.message };
  }
};

const asked = JSON.parse(await all(process.stdin));
process.stdout.write(JSON.stringify(await Promise.all(asked.map(made))));
