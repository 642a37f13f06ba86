// The module of an exported page, as it is: no imports, no network. Every name gets into the page as text or canvas text.
const rowHeight = 24;
const data = JSON.parse(document.getElementById("graph").textContent);
const element = (name, parent, text = "") => {
  const made = document.createElement(name);
  made.textContent = text;
  parent.append(made);
  return made;
};

const header = element("header", document.body);
element("h1", header, data.title);
element("p", header, data.about);
const form = element("form", header);
const input = element("input", form);
input.type = "search";
input.placeholder = "text, a | b";
input.setAttribute("aria-label", "Search");
input.value = data.search;
const reset = element("button", form, "Reset zoom");
reset.type = "button";
const found = element("span", form);
found.setAttribute("role", "status");
const details = element("output", header);

/** Frames of a graph as columns, level by level from left to right. */
const columnsOf = ({ levels, measures }) => {
  const step = 4 + 2 * measures.length;
  return levels.map((row) => {
    const frames = [];
    let end = 0;
    for (let at = 0; at < row.length; at += step) {
      const x = end + row[at];
      end = x + row[at + 1];
      frames.push({ x, end, name: row[at + 2], colour: row[at + 3], values: row.slice(at + 4, at + step) });
    }
    return frames;
  });
};

/** The label if it fits, else without its type arguments, else its end, which says most. */
const fitted = (label, room) => {
  if (label.length <= room) return label;
  const short = label.replace(/\[.*\]/su, "[…]");
  if (short.length <= room) return short;
  const end = short.slice(1 - room);
  return `…${/^[\udc00-\udfff]/u.test(end) ? end.slice(1) : end}`;
};

const rounded = (value) =>
  Math.abs(value) >= 100 || value === 0 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
const valueText = (value) => {
  const [factor, unit] = data.steps.find(([at]) => Math.abs(value) >= at) ?? data.steps.at(-1);
  return `${rounded(value / factor)} ${unit}`.trim();
};
const percentText = (value, whole) => `${((value / (whole || 1)) * 100).toFixed(1)}%`;

/**
 * Matches every name that contains one of the texts between `|`. Null if there is no text. The page does not search for regular
 * expressions: with the browser's own engine, some of them would block it.
 */
const expressionOf = (text) => {
  const terms = text
    .split("|")
    .map((term) => term.trim().replace(/[\\^$.*+?()[\]{}/]/g, "\\$&"))
    .filter(Boolean);
  return terms.length === 0 ? null : new RegExp(terms.join("|"), "iu");
};

const luminance = (colour) => {
  const part = (at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
};
const inks = data.colours.map((colour) => (luminance(colour) > 0.179 ? "#000000" : "#ffffff"));

/** First frame that ends right of a value. */
const firstAt = (frames, value) => {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frames[middle].end <= value) low = middle + 1;
    else high = middle;
  }
  return low;
};

let matches = null;

class Graph {
  constructor(fields) {
    this.fields = fields;
    this.levels = columnsOf(fields);
    // The frame of the first row is drawn in the graph of the callees.
    this.from = fields.isUpwards ? 1 : 0;
    const [root] = this.levels[0];
    this.root = { frame: root, level: 0 };
    this.zoom = this.root;
    this.selected = this.root;
    /** The zooms before this one. */
    this.trail = [];
    if (data.graphs.length > 1) element("h2", document.body, fields.name);
    this.canvas = element("canvas", document.body);
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    const keys = "Arrow keys select, Enter zooms, Escape goes back.";
    this.canvas.setAttribute("aria-label", `${fields.name}: ${this.levels.flat().length} frames. ${keys}`);
    this.canvas.addEventListener("pointermove", (event) => this.describe(this.hitAt(event)));
    this.canvas.addEventListener("click", (event) => this.zoomTo(this.hitAt(event) ?? this.root));
    this.canvas.addEventListener("keydown", (event) => this.press(event));
    for (const change of ["focus", "blur"]) this.canvas.addEventListener(change, () => this.draw());
  }

  /** Moves the selected frame, zooms to it, and goes back. Leaves the other keys to the page. */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { isUpwards } = this.fields;
    const down = event.key === (isUpwards ? "ArrowUp" : "ArrowDown");
    const up = event.key === (isUpwards ? "ArrowDown" : "ArrowUp");
    const side = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const isBack = event.key === "Escape" || event.key === "Backspace";
    if (down || up) this.select(this.at(this.selected.level + (down ? 1 : -1)));
    else if (side !== undefined) this.select(this.sibling(side));
    else if (event.key === "Home") this.select(this.zoom);
    else if (event.key === "Enter") this.zoomTo(this.selected);
    else if (isBack && this.trail.length > 0) this.back();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The first frame of a level that is above or below the selected one. */
  at(level) {
    const frames = this.levels[level] ?? [];
    const { x, end } = this.selected.frame;
    const frame = frames[firstAt(frames, x)];
    return frame !== undefined && level >= this.from && frame.x < end ? { frame, level } : undefined;
  }

  /** The frame before or after the selected one, of the same caller. */
  sibling(by) {
    const { frame, level } = this.selected;
    const frames = this.levels[level];
    const next = frames[frames.indexOf(frame) + by];
    const above = this.levels[level - 1] ?? [];
    const parent = above[firstAt(above, frame.x)];
    const isSibling =
      next !== undefined && next.x >= (parent?.x ?? next.x) && next.end <= (parent?.end ?? next.end);
    return isSibling ? { frame: next, level } : undefined;
  }

  select(hit) {
    if (hit === undefined) return;
    this.selected = hit;
    // Frames outside of the zoom are not on screen.
    const { x, end } = this.zoom.frame;
    if (hit.frame.end <= x || hit.frame.x >= end || hit.level < this.zoom.level) this.show(hit);
    this.draw();
    this.describe(hit);
    const top = this.canvas.getBoundingClientRect().top + this.yOf(hit.level);
    const hidden = Math.min(0, top - header.offsetHeight) + Math.max(0, top + rowHeight - innerHeight);
    window.scrollBy(0, hidden);
  }

  back() {
    const before = this.trail.pop();
    this.zoom = before;
    this.selected = before;
    this.draw();
    this.describe(before);
  }

  yOf(level) {
    const row = level - this.from;
    return this.fields.isUpwards ? this.height - (row + 1) * rowHeight : row * rowHeight;
  }

  hitAt({ offsetX, offsetY }) {
    const { x, end } = this.zoom.frame;
    const value = x + (offsetX / this.width) * (end - x);
    const row = this.fields.isUpwards
      ? Math.ceil((this.height - offsetY) / rowHeight) - 1
      : Math.floor(offsetY / rowHeight);
    const level = row + this.from;
    const frame = (this.levels[level] ?? []).at(firstAt(this.levels[level] ?? [], value));
    return frame !== undefined && frame.x <= value && value < frame.end ? { frame, level } : undefined;
  }

  describe(hit) {
    const { frame } = hit ?? this.zoom;
    const texts = this.fields.measures.map((name, at) => {
      const [total, self] = frame.values.slice(2 * at);
      const share = percentText(total, this.fields.whole[at]);
      return `${name}: ${valueText(total)} (${share}), self ${valueText(self)}`;
    });
    details.textContent = `${data.names[frame.name]}\n${texts.join(" · ")}`;
  }

  zoomTo(hit) {
    this.show(hit);
    this.selected = hit;
    this.draw();
    this.describe(hit);
  }

  show(hit) {
    if (hit.frame === this.zoom.frame) return;
    this.trail.push(this.zoom);
    this.zoom = hit;
  }

  draw() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = (this.levels.length - this.from) * rowHeight + 4;
    // Browsers refuse larger canvases.
    const scale = Math.min(ratio, 32_000 / this.height);
    this.canvas.style.height = `${this.height}px`;
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(this.height * scale);
    const context = this.canvas.getContext("2d");
    context.scale(scale, scale);
    context.font = "12px ui-monospace, monospace";
    context.textBaseline = "middle";
    const { x: from, end: to } = this.zoom.frame;
    for (let level = this.from; level < this.levels.length; level++) {
      const frames = this.levels[level];
      let drawnTo = -1;
      for (let at = firstAt(frames, from); at < frames.length && frames[at].x < to; at++) {
        const left = Math.max(0, ((frames[at].x - from) / (to - from)) * this.width);
        const right = Math.min(this.width, ((frames[at].end - from) / (to - from)) * this.width);
        // Narrow frames in the same pixel are one.
        if (right <= drawnTo) continue;
        drawnTo = Math.max(right, Math.floor(left) + 1);
        this.drawFrame(context, frames[at], { left, right, y: this.yOf(level), level });
      }
    }
    if (document.activeElement === this.canvas) this.drawFocus(context);
  }

  drawFocus(context) {
    const { frame, level } = this.selected;
    const { x: from, end: to } = this.zoom.frame;
    const [left, right] = [frame.x, frame.end].map((x) =>
      Math.min(this.width, Math.max(0, ((x - from) / (to - from)) * this.width)),
    );
    const place = [left + 1, this.yOf(level) + 1, Math.max(2, right - left - 3), rowHeight - 3];
    // Two colours: one of them is seen on any frame.
    context.lineWidth = 4;
    context.strokeStyle = pageColour;
    context.strokeRect(...place);
    context.lineWidth = 2;
    context.strokeStyle = textColour;
    context.strokeRect(...place);
  }

  drawFrame(context, frame, { left, right, y, level }) {
    const isMatch = matches?.has(frame.name) ?? false;
    const isFaded = !isMatch && (matches !== null || level < this.zoom.level);
    context.globalAlpha = isFaded ? 0.3 : 1;
    context.fillStyle = isMatch ? "#e11d2e" : data.colours[frame.colour];
    context.fillRect(left, y, Math.max(1, right - left - 1), rowHeight - 1);
    context.globalAlpha = 1;
    const room = Math.floor((right - left - 8) / 7.3);
    if (room < 3) return;
    const label = fitted(data.labels[frame.name], room);
    context.fillStyle = isMatch ? "#ffffff" : isFaded ? textColour : inks[frame.colour];
    context.fillText(label, left + 4, y + rowHeight / 2, right - left - 6);
  }

  /** The value under matches, those below another match left out. */
  matchedValue() {
    let value = 0;
    let covered = [];
    for (const frames of this.levels) {
      const outermost = frames.filter(
        ({ name, x }) => matches.has(name) && !(covered[firstAt(covered, x)]?.x <= x),
      );
      for (const { x, end } of outermost) value += end - x;
      covered = [...covered, ...outermost].sort((a, b) => a.x - b.x);
    }
    const [root] = this.levels[0];
    return value / (root.end - root.x || 1);
  }
}

const { color: textColour, backgroundColor: pageColour } = getComputedStyle(document.body);
const graphs = data.graphs.map((fields) => new Graph(fields));
const drawAll = () => {
  for (const graph of graphs) graph.draw();
};

const search = () => {
  const expression = expressionOf(input.value.trim());
  matches =
    expression === null
      ? null
      : new Set(data.names.flatMap((name, at) => (at > 0 && expression.test(name) ? [at] : [])));
  found.textContent =
    matches === null
      ? ""
      : `${matches.size} ${matches.size === 1 ? "function" : "functions"}, ${percentText(graphs.at(-1).matchedValue(), 1)} of the total`;
  drawAll();
};
const resetAll = () => {
  for (const graph of graphs) {
    graph.zoomTo(graph.root);
    graph.trail = [];
  }
};

form.addEventListener("submit", (event) => event.preventDefault());
input.addEventListener("input", search);
reset.addEventListener("click", resetAll);
window.addEventListener("resize", drawAll);
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== input) {
    input.focus();
    event.preventDefault();
  } else if (event.key === "Escape") {
    input.value = "";
    search();
    resetAll();
  }
});
search();
resetAll();
