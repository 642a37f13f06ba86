import {
  BoxList,
  foldedLines,
  listVisibleBoxes,
  rowHeight,
  topPadding,
  toSvg,
  type Viewport,
} from "@flamekeep/flame";
import { saveFile } from "#api/save-file.ts";
import { Painter } from "#flame-graph/canvas/paint.ts";
import { paintOf, type Scene } from "#flame-graph/canvas/scene.ts";

export interface Picture {
  readonly scene: Scene;
  readonly viewport: Viewport;
  readonly rows: number;
  readonly profileId: string;
}

/** Width of exported pictures, independent of the window. */
const widthPx = 1600;

/** Browsers refuse taller canvases. */
const heightMaxPx = 16_000;

/** Folded text can be far larger than the tree, because each line repeats its whole stack. */
const foldedCharsMax = 256 * 2 ** 20;

export function saveSvg({ scene, viewport, rows, profileId }: Picture): void {
  const boxes = new BoxList();
  const { focusLevel } = scene;
  const window = { ...viewport, widthPx, firstRow: focusLevel, lastRow: focusLevel + rows - 1 };
  listVisibleBoxes(scene.tree, window, boxes);
  for (let box = 0; box < boxes.length; box++) boxes.row[box] = boxes.row[box]! - focusLevel;
  const shifted = { ...scene, zoomLevel: scene.zoomLevel - focusLevel };
  const svg = toSvg({
    tree: scene.tree,
    boxes,
    widthPx,
    colourOf: (box) => scene.palette.fills[paintOf(shifted, boxes, box)]!,
    title: `${profileId} ${scene.tree.valueType.type}`,
    background: scene.colours.surface,
    ink: scene.colours.text,
  });
  saveFile(`${profileId}.svg`, new Blob([svg], { type: "image/svg+xml" }));
}

export async function savePng({ scene, viewport, rows, profileId }: Picture): Promise<void> {
  const heightPx = Math.min(heightMaxPx, topPadding + rows * rowHeight + 4);
  const canvas = document.createElement("canvas");
  canvas.width = widthPx * 2;
  canvas.height = Math.min(heightMaxPx, heightPx * 2);
  const context = canvas.getContext("2d", { alpha: false });
  if (context === null) throw new Error("This browser does not support canvas.");
  context.scale(2, canvas.height / heightPx);
  const painter = new Painter();
  const area = { viewport, widthPx, heightPx, scrollTop: 0, contentPx: heightPx, labelFrom: 24 };
  painter.list(scene, area);
  painter.draw(context, scene, area);
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, "image/png");
  const image = await promise;
  if (image === null) throw new Error("The picture is too large for this browser.");
  saveFile(`${profileId}.png`, image);
}

/** @returns false if the text would be too large */
export function saveFolded({ scene, profileId }: Picture): boolean {
  return saveLines(profileId, foldedLines(scene.tree, scene.focus));
}

/** False if the text would be too large. */
export function saveLines(profileId: string, lines: Iterable<string>): boolean {
  const parts: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length;
    if (length > foldedCharsMax) return false;
    parts.push(line);
  }
  saveFile(`${profileId}.folded.txt`, new Blob(parts, { type: "text/plain" }));
  return true;
}
