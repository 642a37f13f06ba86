import { inkOn } from "#colour/scheme.ts";
import { type CallTree, wholeOf } from "#tree/call-tree.ts";
import { type CssPixels, rowHeight, topPadding } from "#view/viewport.ts";
import type { BoxList } from "#view/visible-boxes.ts";
import { formatPercent, formatValue } from "./format-value.ts";
import { fullNames, functionNames } from "./function-names.ts";
import { fitLabel, labelLength, shownName } from "./label.ts";
import { runText } from "./run-text.ts";

/** The boxes of one tree. */
export interface SvgLayer {
  readonly tree: CallTree;
  /** Rows count from the top of the picture. */
  readonly boxes: BoxList;
  /** `#rrggbb` of a box. */
  readonly colourOf: (box: number) => string;
  /** Tooltip of a frame; without it, the name with the total and its share. Needed where a total is not in the unit of the tree. */
  readonly tooltipOf?: ((node: number) => string) | undefined;
}

export interface SvgPicture {
  readonly layers: readonly SvgLayer[];
  readonly widthPx: CssPixels;
  readonly title: string;
  readonly background: string;
  readonly ink: string;
}

/**
 * The boxes as a self-contained SVG document: no scripts, no styles from elsewhere, every name escaped. Each box has its full name and
 * its values as a tooltip.
 */
export function toSvg(picture: SvgPicture): string {
  const { layers, widthPx } = picture;
  let rows = 1;
  for (const { boxes } of layers)
    for (let box = 0; box < boxes.length; box++) rows = Math.max(rows, boxes.row[box] + 1);
  const height = topPadding + rows * rowHeight + 4;
  const parts = [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPx} ${height}" width="${widthPx}" height="${height}" `,
    'font-family="JetBrains Mono, monospace" font-size="12" letter-spacing="-1.2">\n',
    `<title>${escapeXml(picture.title)}</title>\n`,
    `<rect width="100%" height="100%" fill="${picture.background}"/>\n`,
    `<text x="4" y="14" fill="${picture.ink}">${escapeXml(picture.title)}</text>\n`,
  ];
  for (const layer of layers)
    for (let box = 0; box < layer.boxes.length; box++) parts.push(boxElement(layer, box, widthPx));
  parts.push("</svg>\n");
  return parts.join("");
}

function boxElement(layer: SvgLayer, box: number, widthPx: CssPixels): string {
  const { tree, boxes, colourOf, tooltipOf = (node) => frameTooltip(tree, node) } = layer;
  const left = Math.max(0, boxes.left[box]);
  const width = Math.min(widthPx, boxes.right[box]) - left;
  if (width <= 0) return "";
  const y = topPadding + boxes.row[box] * rowHeight;
  const fill = colourOf(box);
  const drawn = width > 2 ? width - 1 : width;
  const rect = `<rect x="${short(left)}" y="${y}" width="${short(drawn)}" height="${rowHeight - 1}" fill="${fill}"/>`;
  const node = boxes.node[box];
  const textIn = (label: string) =>
    label === ""
      ? ""
      : `<text x="${short(left + 4)}" y="${y + 15}" fill="${inkOn(fill)}" xml:space="preserve">${escapeXml(label)}</text>`;
  if (boxes.isRun[box] === 1) {
    const frames = runText(tree, boxes.parent[box], node);
    const label = frames.length <= labelLength(width) ? frames : "";
    return `<g><title>${escapeXml(frames)}</title>${rect}${textIn(label)}</g>\n`;
  }
  const label = fitLabel(functionNames(tree.functions)[tree.fn[node]], labelLength(width));
  return `<g><title>${escapeXml(tooltipOf(node))}</title>${rect}${textIn(label)}</g>\n`;
}

function frameTooltip(tree: CallTree, node: number): string {
  const value = formatValue(tree.total[node], tree.valueType.unit);
  return `${fullNames(tree.functions)[tree.fn[node]]} ${value} (${formatPercent(tree.total[node], wholeOf(tree))})`;
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** XML 1.0 cannot represent most control characters, half surrogates, U+FFFE and U+FFFF. */
const illegal = /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text as XML content or attribute value. */
function escapeXml(text: string): string {
  return shownName(text)
    .replace(illegal, "\ufffd")
    .replace(/[&<>"']/g, (character) => entities[character]);
}
