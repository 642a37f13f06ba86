import { valueSteps } from "#text/format-value.ts";
import { fullNames, functionNames } from "#text/function-names.ts";
import { shownName } from "#text/label.ts";
import { type CallTree, wholeOf } from "#tree/call-tree.ts";
import { rangesBelow } from "#tree/prune.ts";
import { measuresOf } from "./view-stacks.ts";

/** One drawing of a page. */
export interface PageGraph {
  readonly name: string;
  readonly tree: CallTree;
  /** The frame of the first row. */
  readonly focus: number;
  /** Callers are drawn upwards, without the frame of the first row. */
  readonly isUpwards: boolean;
  /** `#rrggbb` of a node. */
  readonly colourOf: (node: number) => string;
}

export interface Page {
  readonly title: string;
  /** One sentence about the graph. */
  readonly about: string;
  readonly graphs: readonly PageGraph[];
  readonly search: string;
  readonly theme: "light" | "dark";
  /** Code and styles of the page. */
  readonly script: string;
  readonly style: string;
  /** Random: the page runs only this code. */
  readonly nonce: string;
}

/**
 * An interactive flame graph as one HTML file that loads nothing. Names are in a block of JSON that is never run and get into the page as
 * text only; the policy of the page forbids every other script, style, image and connection.
 *
 * Each level of a graph lists its frames from left to right: distance from the end of the frame before it, width, name, colour, then total
 * and self of each measure. Name 0 is the root's, which no search finds.
 */
export function htmlPage(page: Page): string {
  const names = new Indexes();
  names.add(page.graphs[0]?.tree.functions.name[0] ?? "");
  const colours = new Indexes();
  const graphs = page.graphs.map((graph) => graphFields(graph, names, colours));
  const labels = labelsOf(page.graphs);
  const [first] = page.graphs;
  const fields = {
    title: shownName(page.title),
    about: shownName(page.about),
    search: page.search,
    steps: valueSteps(first?.tree.valueType.unit ?? ""),
    names: names.texts.map(shownName),
    labels: names.texts.map((name) => labels.get(name)),
    colours: colours.texts,
    graphs,
  };
  const policy = `default-src 'none'; script-src 'nonce-${page.nonce}'; style-src 'nonce-${page.nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en" data-theme="${page.theme}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<style nonce="${page.nonce}">${page.style}</style>
</head>
<body>
<script type="application/json" id="graph">${inScript(fields)}</script>
<script type="module" nonce="${page.nonce}">${page.script}</script>
</body>
</html>
`;
}

/** No text can end the block or begin a comment in it. */
function inScript(fields: object): string {
  return JSON.stringify(fields).replaceAll("<", "\\u003c");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return shownName(text).replace(/[&<>"]/gu, (character) => entities[character]);
}

function graphFields(
  { name, tree, focus, isUpwards, colourOf }: PageGraph,
  names: Indexes,
  colours: Indexes,
) {
  const measures = measuresOf(tree);
  const full = fullNames(tree.functions);
  const levels = rangesBelow(tree, focus).map(({ from, to }) => {
    const row: number[] = [];
    let end = tree.x[focus];
    for (let node = from; node < to; node++) {
      row.push(tree.x[node] - end, tree.width[node]);
      const fn = tree.fn[node];
      row.push(fn === 0 ? 0 : names.of(full[fn]), colours.of(colourOf(node)));
      for (const { self, total } of measures) row.push(total[node], self[node]);
      end = tree.x[node] + tree.width[node];
    }
    return row;
  });
  return {
    name,
    isUpwards,
    whole: measures.length === 1 ? [wholeOf(tree)] : measures.map(({ total }) => total[0]),
    measures: measures.map(({ valueType }) => valueType.type),
    levels,
  };
}

/** The name that the app shows for each function, by its whole name. */
function labelsOf(graphs: readonly PageGraph[]): Map<string, string> {
  const labels = new Map<string, string>();
  for (const { tree } of graphs) {
    const shown = functionNames(tree.functions);
    for (const [fn, name] of fullNames(tree.functions).entries()) labels.set(name, shown[fn]);
  }
  return labels;
}

/** Distinct texts by first use. */
class Indexes {
  readonly texts: string[] = [];
  readonly #ids = new Map<string, number>();

  /** A text that `of` never answers with. */
  add(text: string): number {
    return this.texts.push(text) - 1;
  }

  of(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.add(text);
      this.#ids.set(text, id);
    }
    return id;
  }
}
