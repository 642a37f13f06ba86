import { rowHeight, topPadding } from "@flamekeep/flame";
import { Painter } from "#flame-graph/canvas/paint.ts";
import { type Half, halvesOf, type Picture, widthPx } from "./picture.ts";

/** Browsers refuse taller canvases. */
const heightMaxPx = 16_000;

/** Height of the heading, which names the service, the type and the time. */
const headingPx = 28;

export async function writePng(picture: Picture): Promise<Blob> {
  const halves = halvesOf(picture);
  const heightPx = halves.reduce((sum, half) => sum + heightOf(half), headingPx);
  // The same factor for both axes, so that letters keep their shape in a deep graph.
  const scale = Math.min(2, heightMaxPx / heightPx);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(widthPx * scale);
  canvas.height = Math.round(heightPx * scale);
  const context = canvas.getContext("2d", { alpha: false });
  if (context === null) throw new Error("This browser does not support canvas.");
  context.scale(scale, scale);
  drawHeading(context, picture);
  context.translate(0, headingPx);
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

function drawHeading(context: CanvasRenderingContext2D, { scene, title }: Picture): void {
  context.fillStyle = scene.colours.surface;
  context.fillRect(0, 0, widthPx, headingPx);
  context.fillStyle = scene.colours.text;
  context.font = "600 13px 'Inter Variable', ui-sans-serif, system-ui, sans-serif";
  context.textBaseline = "middle";
  context.fillText(`${title} · ${scene.tree.valueType.type}`, 8, headingPx / 2, widthPx - 16);
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
