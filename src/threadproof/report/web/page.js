"use strict";
// The page draws itself from its data. State: which answer, which step, and what a reader has made of the program.

const $ = (tag, attributes = {}, ...inside) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...inside.filter((part) => part !== null && part !== ""));
  return made;
};

// C in sentences: lines may end behind `->`, never inside it.
const code = (text) => String(text ?? "").split(/(->|--)/).flatMap((part, at) => at % 2 ? [$("span", { class: "o" }, part), $("wbr")] : [part]);

// --- the program as WebAssembly ------------------------------------------------------------------------------------

const OUTCOMES = ["moved", "finished", "failed", "undefined", "assumption", "blocked", "stuck", "unsupported", "choose", "not native", "capacity"];

class Machine {
  // A state is a copy of its bytes; a step never changes the one it begins with.
  constructor(table, instance) {
    this.table = table;
    this.x = instance.exports;
    const base = (Number(this.x.__heap_base.value) + 15) & ~15;
    this.at = { state: base, watched: base + table.state + 16 & ~15 };
    this.at.choices = this.at.watched + table.state + 16 & ~15;
    this.at.detail = this.at.choices + 4096;
    const need = this.at.detail + 4096 - this.x.memory.buffer.byteLength;
    if (need > 0) this.x.memory.grow(Math.ceil(need / 65536));
  }

  static make(table, binary) {
    const module = new WebAssembly.Module(binary);
    const env = {};
    for (const wanted of WebAssembly.Module.imports(module)) {
      env[wanted.name] = () => { throw new Error("the page has no " + wanted.name); };
    }
    return new Machine(table, new WebAssembly.Instance(module, { env }));
  }

  bytes() { return new Uint8Array(this.x.memory.buffer); }
  initial() {
    this.x.tp_initial(this.at.state);
    return this.bytes().slice(this.at.state, this.at.state + this.table.state);
  }

  step(state, slot, choices = []) {
    this.bytes().set(state, this.at.state);
    new BigInt64Array(this.x.memory.buffer, this.at.choices, 512).set(choices.map((choice) => BigInt.asIntN(64, BigInt(choice))));
    this.bytes().fill(0, this.at.detail, this.at.detail + 128);
    const kind = OUTCOMES[this.x.tp_step(this.at.state, this.at.watched, slot, this.at.choices, choices.length, this.at.detail)];
    const view = new DataView(this.x.memory.buffer, this.at.detail);
    const i32 = (place) => view.getInt32(place, true), u64 = (place) => view.getBigUint64(place, true);
    const after = this.bytes().slice(this.at.state, this.at.state + this.table.state);
    const signed = i32(40) !== 0, number = (value) => (signed ? BigInt.asIntN(64, value) : value);
    return { kind, after, code: i32(0), name: i32(4), text: i32(8), low: number(u64(24)), high: number(u64(32)), source: i32(48), sourceName: i32(52), pc: view.getUint32(56, true) };
  }

  text(number, name = -1) {
    const found = this.table.texts[number] ?? "";
    return name >= 0 ? found.replace("{name}", this.table.object_names[name]) : found;
  }

  place(pc) {
    const [fn, file, line] = this.table.lines.slice(3 * pc, 3 * pc + 3);
    return { function: this.table.functions[fn] ?? "", file: this.table.files[file] ?? "", line: line ?? 0 };
  }

  threads(state) {
    const view = new DataView(state.buffer, state.byteOffset), t = this.table, found = [];
    for (let slot = 0; slot < t.slots; slot++) {
      const at = t.threads + slot * t.thread, phase = state[at + t.at.phase];
      if (phase) found.push({ slot, name: t.names[slot], alive: phase !== 3, ...this.place(view.getUint32(at + t.at.pc, true)) });
    }
    return found;
  }

  blocks(state) {
    const view = new DataView(state.buffer, state.byteOffset), t = this.table, found = [], count = {};
    for (const thread of this.threads(state)) {
      const at = t.threads + thread.slot * t.thread;
      for (let i = 0; i < view.getUint32(at + t.at.nheap, true); i++) {
        const o = at + t.at.heap + i * t.object_size, u32 = (field) => view.getUint32(o + t.object[field], true);
        const site = t.object_names[view.getInt32(o + t.object.name, true)], size = u32("size");
        const [holder, types] = t.blocks[site] ?? ["", []];
        const type = types.find((one) => one[0] === size) ?? types.find((one) => one[0] && size % one[0] === 0);
        const title = (type && type[2].length && type[2][0][0] ? type[1] : holder) || site.split("@")[0];
        count[title] = (count[title] ?? 0) + 1;
        found.push({ title, number: count[title], size, type, start: view.getBigUint64(o, true), data: at + t.at.hdata + u32("off"), mask: at + t.at.hmask + u32("off"), gone: (u32("flags") & 18) !== 0 });
      }
    }
    for (const block of found) if (count[block.title] > 1) block.title += "#" + block.number;
    return found;
  }

  // Everything a reader sees of a state: title -> value, for variables, locks and heap.
  values(state) {
    const view = new DataView(state.buffer, state.byteOffset), blocks = this.blocks(state), found = { variables: {}, locks: {} };
    const put = (title, at, bits, kind) => {
      const value = this.value(view, at, bits, kind, blocks);
      if (kind === "lock") found.locks[title] = value;
      else if (kind !== "sync") found.variables[title] = value;
    };
    for (const [title, at, bits, kind] of this.table.variables) put(title, at, bits, kind);
    for (const block of blocks) {
      if (block.gone) { found.variables[block.title] = "(freed)"; continue; }
      if (!block.type) { found.variables[block.title] = block.size + " bytes"; continue; }
      const many = Math.min(16, block.size / block.type[0]);
      for (let i = 0; i < many; i++) for (const [path, offset, bits, kind] of block.type[2]) {
        const at = i * block.type[0] + offset, unknown = state[block.mask + at] !== 0;
        const title = block.title + (many > 1 ? `[${i}]${path}` : path.startsWith(".") ? "->" + path.slice(1) : path);
        if (unknown && kind !== "lock" && kind !== "sync") found.variables[title] = "?";
        else put(title, block.data + at, bits, kind);
      }
    }
    return found;
  }

  value(view, at, bits, kind, blocks) {
    if (kind === "float") return String(bits === 32 ? view.getFloat32(at, true) : view.getFloat64(at, true));
    let raw = 0n;
    for (let i = bits / 8 - 1; i >= 0; i--) raw = (raw << 8n) | BigInt(view.getUint8(at + i));
    if (kind === "lock") return raw ? "held by " + this.threadOf(raw) : "free";
    if (kind === "thread") return raw ? this.threadOf(raw) : "0";
    if (kind === "pointer") return this.pointer(raw, blocks);
    return String(kind === "signed" ? BigInt.asIntN(bits, raw) : raw);
  }

  threadOf(handle) {
    const slot = this.table.numbers.indexOf(Number(handle) - 1);
    return slot < 0 ? "thread " + handle : this.table.names[slot];
  }

  pointer(raw, blocks) {
    if (!raw) return "NULL";
    const block = blocks.find((one) => raw >= one.start && raw < one.start + BigInt(one.size));
    if (block) return (raw === block.start ? block.title : `&${block.title} + ${raw - block.start}`) + (block.gone ? " (freed)" : "");
    const object = this.table.objects.find(([start, size]) => raw >= BigInt(start) && raw < BigInt(start) + BigInt(size));
    return object ? "&" + object[2] : "0x" + raw.toString(16);
  }

  says(made) {
    switch (made.kind) {
      case "finished": return "the program ends";
      case "failed": return this.text(made.text);
      case "undefined": return "undefined behaviour: " + this.table.undefined[made.code];
      case "assumption": return "an assumption does not hold: this execution does not count";
      case "stuck": return "stuck for ever inside an atomic block";
      case "blocked": return "waits (" + this.text(made.code).replaceAll("_", " ") + ")";
      default: return made.kind + " " + this.text(made.text);
    }
  }
}

const SPACING = 64; // of what is kept of long counterexamples
const MOST_ROWS = 300; // that are drawn at once
const copied = (sum) => Object.fromEntries(Object.entries(sum).map(([kind, values]) => [kind, { ...values }]));

// --- counterexample ------------------------------------------------------------------------------------------------

class Lanes {
  constructor(answer, data) {
    this.answer = answer;
    this.data = data;
    this.now = answer.steps.length;
    this.full = false;
    this.only = "";
    this.about = "";
    this.live = []; // steps the reader has made, from step `this.left` on
    this.left = 0;
    this.matters = new Set(answer.matters);
    this.sums = []; // values after every SPACING-th step
    this.machine = null;
    this.known = []; // states of the machine after every SPACING-th step
    this.near = null; // and the last one that was asked for
    this.sources = {}; // files as they were drawn
  }

  get threads() {
    const names = [...new Set([...this.answer.threads, ...this.live.map((step) => step.thread)])];
    return names.sort((a, b) => (b === "main") - (a === "main") || a.localeCompare(b, "en", { numeric: true }));
  }
  get steps() { return this.live.length ? [...this.answer.steps.slice(0, this.left), ...this.live] : this.answer.steps; }

  // Values after step n (0: the start), by adding up what each step has changed.
  moment(n) {
    if (this.live.length && n > this.left) return this.live[n - this.left - 1].values;
    const moments = this.answer.moments ?? [], last = Math.min(n, moments.length - 1);
    let at = Math.min(Math.floor(Math.max(0, last) / SPACING), this.sums.length - 1);
    const sum = at < 0 ? { variables: {}, locks: {}, threads: {} } : copied(this.sums[at]);
    for (let step = at < 0 ? 0 : at * SPACING + 1; step <= last; step++) {
      for (const kind of Object.keys(sum)) for (const [title, value] of Object.entries(moments[step][kind] ?? {})) {
        if (value === null) delete sum[kind][title]; else sum[kind][title] = value;
      }
      if (step % SPACING === 0) this.sums[step / SPACING] = copied(sum);
    }
    return sum;
  }

  draw() {
    const place = document.getElementById("answer");
    const bar = this.bar(), table = this.table(), source = this.source(), values = this.values();
    const columns = $("div", { class: "columns" },
      $("section", { "aria-label": "Interleaving", class: "lanes", tabindex: 0 }, table),
      $("section", { "aria-label": "Source", tabindex: 0 }, source),
      $("section", { "aria-label": "State after this step" }, values, this.running()));
    place.querySelector("#lanes")?.remove();
    place.append($("div", { id: "lanes" }, bar, columns));
    this.arrows(columns.querySelector(".lanes"));
    columns.querySelector("tr.now")?.scrollIntoView({ block: "nearest" });
    source.querySelector(".now")?.scrollIntoView({ block: "center" });
    window.scrollTo(0, this.scrolled ?? 0);
  }

  go(step, focus) {
    this.scrolled = window.scrollY;
    this.now = Math.max(0, Math.min(this.steps.length, step));
    this.draw();
    if (focus) document.getElementById(focus)?.focus();
  }

  bar() {
    const count = this.steps.length, step = this.steps[this.now - 1];
    const says = step ? `${step.thread}, line ${step.line}: ${step.events.map((event) => event[1]).join("; ") || "a local step"}` : "the start";
    const titles = this.titles();
    const select = (id, label, first, all, chosen, set) => $("select", { id, "aria-label": label, onchange: (event) => { set(event.target.value); this.go(this.now, id); } },
      $("option", { value: "" }, first), ...all.map((one) => $("option", { value: one, selected: one === chosen }, one)));
    return $("div", { class: "bar" },
      $("button", { id: "back", onclick: () => this.go(this.now - 1, "back"), title: "left arrow" }, "◀ back"),
      $("input", { id: "slider", type: "range", min: 0, max: count, value: this.now, "aria-label": "Step", "aria-valuetext": `step ${this.now} of ${count}: ${says}`, oninput: (event) => this.go(+event.target.value, "slider") }),
      $("button", { id: "on", onclick: () => this.go(this.now + 1, "on"), title: "right arrow" }, "on ▶"),
      $("span", { role: "status", "aria-live": "polite" }, ` step ${this.now} of ${count}`, $("span", { class: "soft" }, " · " + (says.length > 90 ? says.slice(0, 89) + "…" : says))),
      select("thread", "Only this thread", "all threads", this.threads, this.only, (value) => (this.only = value)),
      select("about", "Only what concerns", "all variables", titles, this.about, (value) => (this.about = value)),
      $("button", { id: "full", "aria-pressed": String(this.full), onclick: () => { this.full = !this.full; this.go(this.now, "full"); } }, "all steps"));
  }

  // What steps are about: the names to filter by.
  titles() {
    const named = (steps) => steps.flatMap((one) => one.events.map((event) => event[3])).filter(Boolean);
    this.named ??= new Set(named(this.answer.steps));
    return [...new Set([...this.named, ...named(this.live)])].sort();
  }

  // Numbers of the steps that are shown: what matters (or all), filtered.
  shown() {
    const found = [];
    for (const [index, step] of this.steps.entries()) {
      if (!(this.full || this.matters.has(index + 1) || step.live || index + 1 === this.now)) continue;
      if (this.only && step.thread !== this.only) continue;
      if (this.about && !step.events.some((event) => event[3] === this.about)) continue;
      found.push(index + 1);
    }
    return found;
  }

  // Of very many rows, those near the current step are drawn; the others are a click away.
  table() {
    const all = this.threads, rows = this.shown(), steps = this.steps;
    const here = rows.findIndex((number) => number >= this.now), middle = here < 0 ? rows.length : here;
    const first = Math.max(0, Math.min(middle - MOST_ROWS / 2, rows.length - MOST_ROWS)), last = Math.min(rows.length, first + MOST_ROWS);
    const more = (count, what, step) => count ? $("tr", {}, $("td", { class: "n" }), $("td", { colspan: all.length }, $("button", { onclick: () => this.go(step) }, `${count.toLocaleString("en")} ${what}`))) : "";
    return $("table", {},
      $("thead", {}, $("tr", {}, $("th", {}, "step"), ...all.map((name) => $("th", { scope: "col" }, name)))),
      $("tbody", {}, more(first, "earlier rows", rows[first - 1]),
        ...rows.slice(first, last).map((number) => this.row(number, steps[number - 1], all)),
        more(rows.length - last, "later rows", rows[last])));
  }

  row(number, step, all) {
    return $("tr", { class: [number === this.now && "now", step.live && "live"].filter(Boolean).join(" "), "data-step": number, onclick: () => this.go(number) },
      $("td", { class: "n" }, String(number)),
      ...all.map((name) => name !== step.thread ? $("td") : $("td", { class: "runs" },
        ...this.told(step))));
  }

  // What happens in a step; where it goes on to another line of its file, that line comes first.
  // What was prepared before the first thread is one sentence, unless all is asked for.
  told(step) {
    const shown = step.events.filter((one) => this.full || one[2] !== "aside"), told = [];
    const at = (line) => $("span", { class: "goes-on" }, `${line || ""} `, ...code((this.line(step.file, line) || "in " + step.function).trim().slice(0, 100)));
    const brief = step.prepares && !this.full, first = brief ? Math.max(0, shown.findIndex((event) => event[1].startsWith("creates "))) : 0;
    let line = brief ? 0 : step.line;
    told.push(brief ? $("span", { class: "goes-on" }, ...code(step.prepares.length > 200 ? step.prepares.slice(0, 199) + "…" : step.prepares)) : at(line));
    for (const event of shown.slice(first, first + 30)) {
      if (event[4] && event[4] !== line) told.push(at(line = event[4]));
      told.push($("span", { class: `event ${event[0]} ${event[2]}` }, ...code(event[1])));
    }
    return told;
  }

  line(file, number) { return this.data.sources[file]?.[number - 1] ?? ""; }

  // Reads-from: from the last write of what the current step reads; handovers: from who gave back the lock it takes.
  arrows(place) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const row = (number) => place.querySelector(`tr[data-step="${number}"]`);
    const cell = (number, thread) => row(number)?.children[1 + this.threads.indexOf(thread)];
    const here = this.steps[this.now - 1];
    if (!here || !cell(this.now, here.thread)) return;
    const box = place.getBoundingClientRect(), found = [];
    for (const event of here.events) {
      const takes = event[0] === "sync" && / ?locks |takes one|wakes|joins/.test(event[1]);
      if (!event[3] || !(event[0] === "read" || takes)) continue;
      for (let n = this.now - 1; n > 0; n--) {
        const other = this.steps[n - 1];
        const source = other.events.find((one) => one[3] === event[3] && (takes ? one[0] === "sync" : one[0] === "write" || one[0] === "flush"));
        if (!source) continue;
        if (other.thread !== here.thread && cell(n, other.thread)) found.push([n, other.thread, takes ? "var(--sync)" : "var(--read)"]);
        break;
      }
    }
    for (const [n, thread, colour] of found) {
      const from = cell(n, thread).getBoundingClientRect(), to = cell(this.now, here.thread).getBoundingClientRect();
      const x1 = from.left - box.left + place.scrollLeft + 4, y1 = from.bottom - box.top + place.scrollTop - 4;
      const x2 = to.left - box.left + place.scrollLeft + 4, y2 = to.top - box.top + place.scrollTop + 6;
      const path = document.createElementNS(svg.namespaceURI, "path");
      path.setAttribute("d", `M${x1} ${y1}C${x1} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2} ${x2} ${y2}m-4 -6l4 6l4 -6`);
      path.setAttribute("style", `fill:none;stroke:${colour};stroke-width:2`);
      svg.append(path);
    }
    svg.setAttribute("width", 1); svg.setAttribute("height", 1); svg.setAttribute("aria-hidden", "true");
    place.append(svg);
  }

  source() {
    const step = this.steps[this.now - 1] ?? this.steps[0], threads = this.moment(this.now).threads ?? {};
    const stands = {};
    for (const [name, where] of Object.entries(threads)) {
      const [, file, line] = (where ?? "").split("\t");
      if (file === step?.file) (stands[line] ??= []).push(name);
    }
    const drawn = this.sources[step?.file] ??= this.listing(step?.file);
    for (const [line, mark] of drawn.marked) { line.setAttribute("class", "l"); mark?.remove(); }
    drawn.marked = [];
    const made = new Set([step?.line, ...(step?.events ?? []).filter((event) => event[2] !== "aside").map((event) => event[4])]);
    for (const number of new Set([...made, ...Object.keys(stands).map(Number)])) {
      const line = drawn.lines[number - 1], here = stands[number] ?? [];
      if (!line) continue;
      const mark = here.length ? $("em", {}, "   ◀ " + here.join(", ")) : null;
      line.setAttribute("class", made.has(number) ? "l now" : "l stands");
      if (mark) line.append(mark);
      drawn.marked.push([line, mark]);
    }
    return drawn.place;
  }

  // A file, drawn once.
  listing(file) {
    const lines = (this.data.sources[file] ?? []).slice(0, 5000).map((text, index) => $("span", { class: "l" }, $("i", {}, String(index + 1)), ...coloured(text)));
    return { lines, marked: [], place: $("div", {}, $("h3", {}, (file ?? "").split("/").pop()), $("pre", {}, ...lines)) };
  }

  values() {
    const now = this.moment(this.now), first = this.live.length && this.now === this.left + 1;
    const before = first ? this.machine.values(this.stateAt(this.left)) : this.now ? this.moment(this.now - 1) : { variables: {}, locks: {} };
    const part = (title, kind) => {
      const all = Object.entries(now[kind] ?? {}).filter(([name]) => !this.about || name.includes(this.about));
      if (!all.length) return "";
      return $("div", {}, $("h3", {}, title), $("table", { class: "values" }, $("tbody", {}, ...all.map(([name, value]) =>
        $("tr", { class: before[kind]?.[name] !== value ? "changed" : "" }, $("td", {}, ...code(name)), $("td", {}, ...code(value)))))));
    };
    return $("div", {}, part("variables and heap", "variables"), part("locks", "locks"));
  }

  // --- leaving the counterexample ---

  // The machine's state after step n of the counterexample; none behind its end. Few are kept: a state has many bytes.
  stateAt(n) {
    if (!this.machine) {
      const text = atob(this.answer.binary);
      this.machine = Machine.make(this.answer.machine, Uint8Array.from(text, (sign) => sign.charCodeAt(0)));
      this.known = [this.machine.initial()];
    }
    let at = Math.min(Math.floor(n / SPACING), this.known.length - 1) * SPACING, state = this.known[at / SPACING];
    if (this.near && this.near.at <= n && this.near.at > at) ({ at, state } = this.near);
    for (; at < n; at++) {
      if (at >= this.answer.moves.length) return undefined;
      const [thread, ...choices] = this.answer.moves[at];
      const made = this.machine.step(state, this.answer.machine.names.indexOf(thread), choices);
      if (made.kind !== "moved") return undefined;
      state = made.after;
      if ((at + 1) % SPACING === 0) this.known[(at + 1) / SPACING] = state;
    }
    this.near = { at, state };
    return state;
  }

  state() {
    if (this.live.length && this.now > this.left) return this.live[this.now - this.left - 1].state;
    return this.stateAt(this.now);
  }

  running() {
    if (!this.answer.binary) return "";
    const box = $("div", { class: "going", role: "group", "aria-label": "Go on from here" }, $("h3", {}, "go on from here"));
    let state;
    try { state = this.state(); } catch (problem) { box.append(String(problem)); return box; }
    if (!state) { box.append("The execution has ended here: step back first."); return box; }
    for (const thread of this.machine.threads(state)) {
      if (!thread.alive) continue;
      const made = this.machine.step(state, thread.slot);
      const line = `${thread.name}: line ${thread.line || "?"} in ${thread.function}`;
      if (made.kind === "blocked") { box.append($("div", { class: "soft" }, `${line}, ${this.machine.says(made)}`)); continue; }
      box.append($("div", { class: "bar" }, $("button", { id: "run-" + thread.name, onclick: () => this.take(thread, []) }, "step " + line), made.kind === "choose" ? $("span", {}, this.machine.text(made.source, made.sourceName)) : ""));
    }
    box.append($("button", { id: "finish", onclick: () => this.finish() }, "go on to the end, at random"));
    if (this.live.length) box.append($("button", { id: "return", onclick: () => { this.live = []; this.go(this.left, "back"); } }, "return to the counterexample"));
    return box;
  }

  take(thread, choices, quietly) {
    const state = this.state(), made = this.machine.step(state, thread.slot, choices);
    if (made.kind === "choose") {
      const given = quietly ? String(made.low + BigInt(Math.floor(Math.random() * Math.min(256, Number(made.high - made.low) + 1)))) : window.prompt(`${this.machine.text(made.source, made.sourceName)}: a value from ${made.low} to ${made.high}`, String(made.low < 0n ? 0 : made.low));
      if (given === null || !/^-?\d+$/.test(given.trim()) || BigInt(given) < made.low || BigInt(given) > made.high) return false;
      return this.take(thread, [...choices, given.trim()], quietly);
    }
    const ended = made.kind !== "moved", after = ended && made.kind !== "finished" ? state : made.after;
    const old = this.machine.values(state), now = this.machine.values(after), events = [];
    for (const kind of ["variables", "locks"]) for (const [title, value] of Object.entries(now[kind])) {
      if (old[kind][title] !== value) events.push([kind === "locks" ? "sync" : "write", kind === "locks" ? `${title}: ${value}` : `${title} = ${value}`, "related", title, thread.line]);
    }
    if (ended) events.push(["end", this.machine.says(made), "needed", "", thread.line]);
    if (!this.live.length) this.left = this.now;
    this.live.length = this.now - this.left;
    const threads = Object.fromEntries(this.machine.threads(after).map((one) => [one.name, one.alive ? `${one.function}\t${one.file}\t${one.line}` : ""]));
    this.live.push({ thread: thread.name, function: thread.function, file: thread.file, line: thread.line, events, live: true, state: ended ? null : after, values: { ...now, threads } });
    this.now = this.steps.length;
    if (!quietly) this.go(this.now, "run-" + thread.name);
    return !ended;
  }

  finish() {
    for (let steps = 0; steps < 2000; steps++) {
      const state = this.state();
      if (!state) break;
      const able = this.machine.threads(state).filter((one) => one.alive && this.machine.step(state, one.slot).kind !== "blocked");
      if (!able.length) break;
      if (!this.take(able[Math.floor(Math.random() * able.length)], [], true)) break;
    }
    this.go(this.now, "finish");
  }
}

const WORDS = /^(auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|_Atomic|_Bool|_Thread_local)$/;

function coloured(text) {
  return [...text.matchAll(/\/\/.*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|^\s*#.*|->|--|\w+|\s+|[^\w\s]/g)].map(([part]) =>
    /^(->|--)$/.test(part) ? $("span", { class: "o" }, part) : WORDS.test(part) ? $("b", {}, part) : /^["']/.test(part) ? $("q", {}, part) : /^(\/\/|\/\*|\s*#)/.test(part) && part.length > 1 ? $("em", {}, part) : part);
}

// --- the page --------------------------------------------------------------------------------------------------------

let lanes = null;

function show(data, index) {
  const answer = data.answers[index], place = document.getElementById("answer");
  const list = (title, items) => items?.length ? [$("h3", {}, title), $("ul", {}, ...items.map((item) => $("li", {}, ...(typeof item === "string" ? code(item) : [item]))))] : [];
  const drawn = (title, text, label) => {
    if (!text) return [];
    const drawing = $("section", { class: "drawing", "aria-label": label, tabindex: 0 });
    drawing.innerHTML = text;
    return [$("h3", {}, title), drawing];
  };
  place.replaceChildren(
    $("h2", {}, answer.property + (answer.model === "sc" ? "" : " under " + answer.model) + ": ", $("span", { class: answer.verdict }, answer.verdict), answer.because ? " — " + answer.because : ""),
    answer.words ? $("p", { class: "story" }, ...code(answer.words)) : "",
    answer.story?.length ? $("p", { class: "story" }, ...code(answer.story.join(" "))) : "",
    ...(answer.details?.length ? [$("ul", {}, ...answer.details.map((detail) => $("li", {}, detail)))] : []),
    ...list("call stacks", (answer.stacks ?? []).filter((stack) => stack.length > 2).map(([thread, ...calls]) => thread + ": " + calls.join(", called by "))),
    ...list("rests on", answer.assumptions), ...list("notes", answer.notes),
    ...drawn("how the estimate was found", answer.charts, "Charts"), ...facts(answer.proof),
    $("p", { class: "soft" }, answer.statistics ?? ""),
    ...drawn("the threads as automata" + (answer.drawing?.includes('class="holds"') ? ", and what holds at their locations" : ""), answer.drawing, "Thread automata"));
  for (const [at, row] of [...document.getElementById("properties").querySelectorAll("tbody tr")].entries()) row.setAttribute("aria-current", String(at === index));
  lanes = answer.steps ? new Lanes(answer, data) : null;
  lanes?.draw();
}

// A fact of a proof: text, a list, or a table of its own.
function fact(value) {
  if (Array.isArray(value)) return value.length ? $("ul", {}, ...value.slice(0, 200).map((one) => $("li", {}, typeof one === "object" ? JSON.stringify(one) : String(one)))) : "none";
  if (value && typeof value === "object") return $("table", { class: "values" }, $("tbody", {}, ...Object.entries(value).slice(0, 200).map(([name, one]) => $("tr", {}, $("th", { scope: "row" }, name), $("td", {}, fact(one))))));
  return typeof value === "number" ? value.toLocaleString("en") : String(value);
}

function facts(proof) {
  if (!proof?.kind) return [];
  const rows = Object.entries(proof.facts ?? {}).map(([name, value]) => $("tr", {}, $("th", { scope: "row" }, name.replaceAll("_", " ")), $("td", {}, fact(value))));
  return [$("h3", {}, proof.kind.replaceAll("_", " ")), $("table", { class: "values facts" }, $("tbody", {}, ...rows))];
}

// Several properties: a table of them all, whose rows lead to the answers.
function summary(data) {
  const row = (answer, index) => $("tr", {}, $("th", { scope: "row" }, $("button", { onclick: () => show(data, index) }, answer.property)),
    $("td", { class: answer.verdict }, answer.verdict), $("td", {}, answer.because ?? ""), $("td", { class: "soft" }, answer.engine ?? ""), $("td", { class: "soft" }, `${answer.seconds} s`));
  return $("table", { class: "summary" }, $("thead", {}, $("tr", {}, ...["property", "verdict", "why", "engine", "time"].map((name) => $("th", { scope: "col" }, name)))), $("tbody", {}, ...data.answers.map(row)));
}

function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  if (data.answers.length > 1) document.getElementById("properties").append(summary(data));
  document.addEventListener("keydown", (event) => {
    if (!lanes || event.altKey || event.ctrlKey || event.metaKey || /SELECT|INPUT/.test(event.target.tagName)) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    lanes.go(lanes.now + steps, event.target.id);
  });
  const first = data.answers.findIndex((answer) => answer.verdict === "false");
  show(data, Math.max(0, first));
  follow();
}

// A link to a step, and to what a reader has made of it: #step=20;T1;T2
function follow() {
  const [step, ...threads] = decodeURIComponent(location.hash).replace("#step=", "").split(";");
  if (!lanes || !/^\d+$/.test(step)) return;
  lanes.go(+step);
  for (const name of threads) {
    const thread = lanes.state() && lanes.machine.threads(lanes.state()).find((one) => one.name === name && one.alive);
    if (!thread || lanes.machine.step(lanes.state(), thread.slot).kind === "blocked" || !lanes.take(thread, [], true)) break;
  }
  lanes.go(lanes.now);
}

if (typeof document !== "undefined") start();
else module.exports = { Machine, Lanes };
