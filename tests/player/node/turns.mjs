// The stages of an article take turns: prints which of them were made by when, on a clock of the test's own.

import { mock } from "node:test";

const { due, leads, release } = await import(`${process.argv[2]}/figure/turns.js`);
mock.timers.enable({ apis: ["setTimeout"] });
const made = [];
const mount = async name => {
  const place = { name, isConnected: true };
  await due(place);
  made.push(name);
  return place;
};
const pass = async time => {
  for (let passed = 0; passed < time; passed += 10) {
    mock.timers.tick(10);
    for (let k = 0; k < 10; k++) await null;
  }
  return made.splice(0);
};

const found = {};
const first = await mount("first");
mount("second");
mount("third");
found.waits = await pass(2000);
found.patience = await pass(2000);
mount("late"); // when all that were there have had their turn
found.late = await pass(100);

const next = { name: "of the next page", isConnected: true };
first.isConnected = false;
await due(next);
found.leads = [leads(next), leads(first)];
mount("a");
found.anew = await pass(500);
release();
mount("b");
mount("c");
found.moved = [await pass(20), await pass(50), await pass(50)];
console.log(JSON.stringify(found));
