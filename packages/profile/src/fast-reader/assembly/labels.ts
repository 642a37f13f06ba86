import { allocate, allocateZeros } from "./memory";
import { sampleCount, samples, sampleTypes } from "./outline";
import { addToRow, indexRows } from "./rows";
import { firstLabelled, labelStart, sampleValues, stackOf } from "./samples";
import { maskFor, probesMax, slotsFor, spread } from "./slots";
import { skipVarint, varint } from "./varint";

// The labels of samples, read in a second pass over the labels that the first pass has checked: only profiles with labels need it.

/** By set, numbered from 1 in order of first use: its node. Set 0 has no labels. */
export let setNode: usize = 0;
export let setCount: i32 = 0;

/** The tree of sets: each node has the labels of its parent and one more. Node 0 has no labels. */
export let nodeCount: i32 = 0;
export let nodeParent: usize = 0;
export let nodeLabel: usize = 0;

/** By label, four words each: key, text, class of numbers, unit. Numbers have no text. */
export let labels: usize = 0;
export let labelCount: i32 = 0;

/** More nodes are left to the general reader. */
const nodesMax: i32 = 1 << 16;
const negativeClass: u32 = 64;

/** By node: number of its set, 0 if no sample has it. */
let setOfNode: usize = 0;
/** By label: the node that has it alone, 0 if there is none yet. */
let childOfRoot: usize = 0;
let nodeSlots: usize = 0;
let labelSlots: usize = 0;
let mask: u32 = 0;

/** `most`: the number of labels over all samples. False if the general reader must read the profile. */
export function readLabels(most: i32): bool {
  indexRows();
  startTree(min(most + 1, nodesMax));
  for (let i = firstLabelled; i < sampleCount; i++) {
    const place = (<usize>i) << 2;
    const node = readSample(load<u32>(labelStart + place), load<u32>(samples + (place << 1), 4));
    if (node < 0) return false;
    const ofSample = sampleValues + ((<usize>(i * sampleTypes)) << 3);
    if (!addToRow(load<u32>(stackOf + place), setOf(node), ofSample)) return false;
  }
  return true;
}

function startTree(nodes: i32): void {
  nodeParent = allocate((<usize>nodes) << 2);
  nodeLabel = allocate((<usize>nodes) << 2);
  setOfNode = allocateZeros((<usize>nodes) << 2);
  setNode = allocate((<usize>nodes) << 2);
  childOfRoot = allocateZeros((<usize>nodes) << 2);
  labels = allocate((<usize>nodes) << 4);
  mask = maskFor(nodes);
  nodeSlots = slotsFor(mask);
  labelSlots = slotsFor(mask);
  store<u32>(nodeParent, 0);
  store<u32>(nodeLabel, 0);
  store<u32>(setNode, 0);
  nodeCount = 1;
  setCount = 0;
  labelCount = 0;
}

/** The node of a sample's labels, which begin at `from`; -1 if the general reader must read the profile. */
function readSample(from: usize, end: usize): i32 {
  if (from === 0) return 0;
  let node: i32 = 0;
  let pos = from;
  while (pos < end) {
    const tag = load<u8>(pos);
    const number = varint(pos + 1);
    pos += 1 + <usize>(number & 0xff);
    if ((tag & 7) === 0) continue;
    const last = pos + <usize>(number >>> 8);
    if (tag === 0x1a) {
      node = readLabel(node, pos, last);
      if (node < 0) return -1;
    }
    pos = last;
  }
  return node;
}

function setOf(node: i32): i32 {
  if (node === 0) return 0;
  const at = setOfNode + ((<usize>node) << 2);
  const found = load<i32>(at);
  if (found !== 0) return found;
  store<i32>(at, ++setCount);
  store<i32>(setNode + ((<usize>setCount) << 2), node);
  return setCount;
}

/** The node of the set with a label added. */
function readLabel(node: i32, from: usize, end: usize): i32 {
  let key: u32 = 0;
  let text: u32 = 0;
  let unit: u32 = 0;
  let number: u64 = 0;
  let pos = from;
  while (pos < end) {
    const tag = load<u8>(pos);
    if (tag === 0x18) {
      const next = skipVarint(pos + 1);
      number = wideVarint(pos + 1, next);
      pos = next;
      continue;
    }
    const string = varint(pos + 1);
    if (tag === 0x08) key = <u32>(string >>> 8);
    else if (tag === 0x10) text = <u32>(string >>> 8);
    else unit = <u32>(string >>> 8);
    pos += 1 + <usize>(string & 0xff);
  }
  // As in Go: text wins over a number, and a label with neither is ignored.
  if (key === 0 || (text === 0 && number === 0 && unit === 0)) return node;
  const label = text === 0 ? labelOf(key, 0, classOf(number), unit) : labelOf(key, text, 0, 0);
  return label < 0 ? -1 : childOf(node, label);
}

/** A number of up to ten bytes. */
function wideVarint(from: usize, end: usize): u64 {
  let value: u64 = 0;
  for (let pos = end; pos > from; ) value = (value << 7) | (<u64>load<u8>(--pos) & 0x7f);
  return value;
}

/** As `numberClass` in src/labels/number-class.ts. */
function classOf(number: u64): u32 {
  return <i64>number < 0 ? negativeClass : 64 - <u32>clz<u64>(number);
}

/** The index of a label; -1 if too many collide, which suggests an attack, or if there are too many. */
function labelOf(key: u32, text: u32, numbers: u32, unit: u32): i32 {
  const first = ((<u64>text) << 32) | <u64>key;
  const second = ((<u64>unit) << 32) | <u64>numbers;
  const hash = spread(
    (key * 0x9e3779b1) ^ (text * 0x85ebca6b) ^ (numbers * 0xcc9e2d51) ^ (unit * 0x1b873593),
  );
  for (let probe: u32 = 0; probe < probesMax; probe++) {
    const slot = labelSlots + ((<usize>((hash + probe) & mask)) << 3);
    const found = load<i32>(slot);
    if (found === 0) {
      // A new label makes a new node, so that there is room for it where there is room for its node.
      if (labelCount === nodesMax) return -1;
      const at = labels + ((<usize>labelCount) << 4);
      store<u64>(at, first);
      store<u64>(at, second, 8);
      store<i32>(slot, ++labelCount);
      return labelCount - 1;
    }
    const at = labels + ((<usize>(found - 1)) << 4);
    if (load<u64>(at) === first && load<u64>(at, 8) === second) return found - 1;
  }
  return -1;
}

/** The node with the labels of `node` and one more; -1 if too many collide, or if there are too many. */
function childOf(node: i32, label: i32): i32 {
  if (node === 0) {
    // Most samples have one label: no table of pairs is needed for it.
    const at = childOfRoot + ((<usize>label) << 2);
    if (load<i32>(at) === 0) store<i32>(at, addNode(0, label));
    return load<i32>(at);
  }
  const hash = spread((<u32>node * 0x9e3779b1) ^ (<u32>label * 0x85ebca6b));
  for (let probe: u32 = 0; probe < probesMax; probe++) {
    const slot = nodeSlots + ((<usize>((hash + probe) & mask)) << 3);
    const child = load<i32>(slot);
    if (child === 0) {
      const added = addNode(node, label);
      store<i32>(slot, added);
      return added;
    }
    const at = (<usize>child) << 2;
    if (load<i32>(nodeParent + at) === node && load<i32>(nodeLabel + at) === label) return child;
  }
  return -1;
}

/** -1 if there are too many nodes: then nothing of the tree is used. */
function addNode(parent: i32, label: i32): i32 {
  if (nodeCount === nodesMax) return -1;
  const at = (<usize>nodeCount) << 2;
  store<i32>(nodeParent + at, parent);
  store<i32>(nodeLabel + at, label);
  return nodeCount++;
}
