import { grown } from "#tree/columns.ts";

/**
 * Boxes on screen as columns, row by row, each row from left to right. A box is a frame, or a run of siblings that are too
 * narrow to draw one by one (`isRun`). For a run, `node` is the first sibling, or -1 where only frames that were left out remain.
 * The list is reused from one drawing to the next.
 */
export class BoxList {
  length = 0;
  node = new Int32Array(1024);
  /** Node above; -1 for the root. */
  parent = new Int32Array(1024);
  row = new Int32Array(1024);
  left = new Float64Array(1024);
  right = new Float64Array(1024);
  isRun = new Uint8Array(1024);

  clear(): void {
    this.length = 0;
  }

  /** @param left and `right`: CSS pixels */
  add(node: number, parent: number, row: number, left: number, right: number): void {
    if (this.length === this.node.length) this.#grow();
    const at = this.length++;
    this.node[at] = node;
    this.parent[at] = parent;
    this.row[at] = row;
    this.left[at] = left;
    this.right[at] = right;
    this.isRun[at] = 0;
  }

  /** @param node the first of the run, or -1 */
  addRun(node: number, parent: number, row: number, left: number, right: number): void {
    this.add(node, parent, row, left, right);
    this.isRun[this.length - 1] = 1;
  }

  #grow(): void {
    const size = this.length * 2;
    this.node = grown(this.node, new Int32Array(size));
    this.parent = grown(this.parent, new Int32Array(size));
    this.row = grown(this.row, new Int32Array(size));
    this.left = grown(this.left, new Float64Array(size));
    this.right = grown(this.right, new Float64Array(size));
    this.isRun = grown(this.isRun, new Uint8Array(size));
  }
}
