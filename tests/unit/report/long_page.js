// The page's own code over a page as small as it needs: draws a counterexample of many steps, goes through it, and counts
// what stands in the document at most.
const { readFileSync } = require("fs");

let made = 0;

class Element {
  constructor(tag) { made++; this.tag = tag; this.inside = []; this.attributes = {}; this.up = null; this.style = {}; this.id = ""; }
  setAttribute(name, value) { this.attributes[name] = String(value); if (name === "id") this.id = String(value); }
  addEventListener(name, what) { this.attributes["on" + name] = what; }
  append(...parts) { for (const part of parts) { if (part instanceof Element) { part.remove(); part.up = this; } this.inside.push(part); } }
  replaceChildren(...parts) { this.inside = []; this.append(...parts); }
  remove() { if (this.up) this.up.inside = this.up.inside.filter((one) => one !== this); this.up = null; }
  get children() { return this.inside.filter((one) => one instanceof Element); }
  get textContent() { return this.inside.map((one) => (one instanceof Element ? one.textContent : one)).join(""); }
  *all() { yield this; for (const one of this.children) yield* one.all(); }
  querySelectorAll(wanted) { return [...this.all()].filter((one) => one !== this && fits(one, wanted)); }
  querySelector(wanted) { return this.querySelectorAll(wanted)[0] ?? null; }
  getBoundingClientRect() { return { left: 0, top: 0, bottom: 0 }; }
  scrollIntoView() {}
  focus() {}
}

function fits(one, wanted) {
  const last = wanted.split(" ").at(-1), [, tag, id, kind, step] = last.match(/^(\w*)(?:#([\w-]+))?(?:\.(\w+))?(?:\[data-step="(\d+)"\])?$/);
  return (!tag || one.tag === tag) && (!id || one.id === id) && (!step || one.attributes["data-step"] === step)
    && (!kind || (one.attributes.class ?? "").split(" ").includes(kind));
}

const data = JSON.parse(readFileSync(0, "utf8")), body = new Element("body"), keys = [];
for (const id of ["properties", "answer", "data"]) { const one = new Element("div"); one.setAttribute("id", id); body.append(one); }
body.querySelector("#data").append(JSON.stringify(data));
global.document = { createElement: (tag) => new Element(tag), createElementNS: (_, tag) => new Element(tag), getElementById: (id) => body.querySelector("#" + id), addEventListener: (_, what) => keys.push(what) };
global.window = { scrollY: 0, scrollTo() {} };
global.location = { hash: "" };
require("vm").runInThisContext(readFileSync(process.argv[2], "utf8"));

const press = (key) => keys[0]({ key, target: body, preventDefault() {} });
const rows = () => body.querySelectorAll("tr").filter((one) => one.attributes["data-step"]);
const shown = () => body.querySelector("tr.now")?.attributes["data-step"];
const most = { rows: 0, elements: 0, made: 0 };
const look = (key) => {
  made = 0;
  if (key) press(key);
  most.rows = Math.max(most.rows, rows().length);
  most.elements = Math.max(most.elements, [...body.all()].length);
  if (key) most.made = Math.max(most.made, made);
};
look();
const last = shown();
body.querySelector("#full").attributes.onclick();
look();
for (const key of ["PageUp", "ArrowLeft", "ArrowRight", "Home", "ArrowDown", "PageDown", "End"]) look(key);
body.querySelector("#slider").attributes.oninput({ target: { value: "137" } });
const values = body.querySelectorAll("table").filter((one) => one.attributes.class === "values").map((one) => one.textContent).join(" ");
console.log(JSON.stringify({ ...most, last, now: shown(), values, machine: Boolean(body.querySelector("#finish")) }));
