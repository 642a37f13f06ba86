import { BoxList, listVisibleBoxes, type SvgLayer, toSvg } from "@flamekeep/flame";
import { paintOf } from "#flame-graph/canvas/scene.ts";
import { type Half, halvesOf, type Picture, widthPx } from "./picture.ts";

export function writeSvg(picture: Picture): Blob {
  const { scene, title } = picture;
  let above = 0;
  const layers = halvesOf(picture).map((half) => {
    const layer = layerOf(half, above);
    above += half.rows;
    return layer;
  });
  const svg = toSvg({
    layers,
    widthPx,
    title: `${title} · ${scene.tree.valueType.type}`,
    background: scene.colours.surface,
    ink: scene.colours.text,
  });
  return new Blob([svg], { type: "image/svg+xml" });
}

/** @param above rows of the picture above this half */
function layerOf({ scene, viewport, rows, tooltipOf }: Half, above: number): SvgLayer {
  const boxes = new BoxList();
  const { focusLevel, direction, tree, palette } = scene;
  const window = { ...viewport, widthPx, firstRow: focusLevel, lastRow: focusLevel + rows - 1 };
  listVisibleBoxes(tree, window, boxes);
  const paints = Array.from({ length: boxes.length }, (_, box) => paintOf(scene, boxes, box));
  for (let box = 0; box < boxes.length; box++) {
    const row = boxes.row[box]! - focusLevel;
    boxes.row[box] = above + (direction === "up" ? rows - 1 - row : row);
  }
  return { tree, boxes, colourOf: (box) => palette.fills[paints[box]!]!, tooltipOf };
}
