import { rowHeight, topPadding } from "@flamekeep/flame";
import { Painter } from "#flame-graph/canvas/paint.ts";
import { type Half, halvesOf, type Picture } from "#flame-graph/export/picture.ts";

/** Width of exported pictures, independent of the window. */
const widthPx = 1600;

/** Browsers refuse taller canvases. */
const heightMaxPx = 16_000;

export async function writePng(picture: Picture): Promise<Blob> {
  const halves = halvesOf(picture);
  const heightPx = halves.reduce((sum, half) => sum + heightOf(half), 0);
  // The same factor for both axes, so that letters keep their shape in a deep graph.
  const scale = Math.min(2, heightMaxPx / heightPx);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(widthPx * scale);
  canvas.height = Math.round(heightPx * scale);
  const context = canvas.getContext("2d", { alpha: false });
  if (context === null) throw new Error("This browser does not support canvas.");
  context.scale(scale, scale);
  for (const half of halves) {
    draw(context, half);
    context.translate(0, heightOf(half));
  }
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, "image/png");
  const image = await promise;
  if (image === null) throw new Error("The picture is too large for this browser.");
  return image;
}

function heightOf({ rows, scene }: Half): number {
  return rows * rowHeight + (scene.direction === "up" ? 0 : topPadding + 4);
}

function draw(context: CanvasRenderingContext2D, half: Half): void {
  const { scene, viewport } = half;
  const heightPx = heightOf(half);
  const painter = new Painter();
  const area = { viewport, widthPx, heightPx, scrollTop: 0, contentPx: heightPx, labelFrom: 24 };
  painter.list(scene, area);
  painter.draw(context, scene, area);
}
