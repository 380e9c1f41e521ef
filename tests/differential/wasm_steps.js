// Steps of programs as WebAssembly: reads one JSON object, writes the outcome and the state after each move.
const { Machine } = require(process.argv[2]);
const given = JSON.parse(require("fs").readFileSync(0, "utf8"));
const machine = Machine.make(given.table, Buffer.from(given.binary, "base64"));
let state = machine.initial();
const found = [];
for (const [thread, ...choices] of given.moves) {
  const made = machine.step(state, given.table.names.indexOf(thread), choices);
  found.push([made.kind, Buffer.from(made.after).toString("base64")]);
  if (made.kind !== "moved") break;
  state = made.after;
  machine.values(state); // must not fail
}
console.log(JSON.stringify(found));
