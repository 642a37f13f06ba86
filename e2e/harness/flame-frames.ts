import type { Page } from "playwright-core";

/** A frame of the server's JSON, and its place on a canvas that shows the whole tree. */
export interface FlameFrame {
  readonly name: string;
  readonly packageName: string;
  readonly total: number;
  readonly parent: FlameFrame | null;
  readonly level: number;
  /** Shares of the row, 0 .. 1. */
  readonly left: number;
  readonly width: number;
}

interface FlameNode {
  readonly function_name: string;
  readonly package_name: string;
  readonly total_value: number;
  readonly depth: number;
  readonly x: number;
  readonly width: number;
  readonly children: readonly FlameNode[];
}

/** The frames of a profile, root first, as the signed-in person gets them. */
export async function framesOf(page: Page, profileId: string): Promise<FlameFrame[]> {
  const root = await page.evaluate(async (id) => {
    const token = localStorage.getItem("flamekeep.access_token");
    const reply = await fetch(`/api/v1/protected/flamegraph/${id}`, {
      headers: { accept: "application/json", authorization: `Bearer ${token}` },
    });
    return ((await reply.json()) as { root: unknown }).root;
  }, profileId);
  const frames: FlameFrame[] = [];
  const add = (node: FlameNode, parent: FlameFrame | null) => {
    const frame = {
      name: node.function_name,
      packageName: node.package_name,
      total: node.total_value,
      parent,
      level: node.depth,
      left: node.x / 100,
      width: node.width / 100,
    };
    frames.push(frame);
    for (const child of node.children) add(child, frame);
  };
  add(root as FlameNode, null);
  return frames;
}

const rowHeight = 24;
const topPadding = 20;

/** A point on a frame while the whole tree is shown; `at` is the fraction of its width from the left. */
export async function pointOn(page: Page, frame: FlameFrame, at = 0.5): Promise<{ x: number; y: number }> {
  const box = await page.getByRole("application").boundingBox();
  if (box === null) throw new Error("There is no flame graph on the page.");
  return {
    x: (frame.left + frame.width * at) * box.width,
    y: topPadding + rowHeight * frame.level + rowHeight / 2,
  };
}

/** Colour of the canvas just inside a frame's upper left corner, as `#rrggbb`. */
export async function colourOf(page: Page, frame: FlameFrame): Promise<string> {
  const { x, y } = await pointOn(page, frame, 0);
  return page.evaluate(
    ([left, top]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('[role="application"] canvas');
      const context = canvas?.getContext("2d");
      if (!canvas || !context) throw new Error("There is no canvas in the flame graph.");
      const ratio = canvas.width / canvas.clientWidth;
      const [red = 0, green = 0, blue = 0] = context.getImageData(left * ratio, top * ratio, 1, 1).data;
      return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
    },
    [x + 2, y - 8] as const,
  );
}
