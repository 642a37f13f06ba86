import type { Page } from "@flamekeep/e2e/browser";

export const motions = ["zoom", "pan", "scroll", "hover", "click", "search"] as const;

export type Motion = (typeof motions)[number];

/** Search terms: one function, many, nothing, a package, an expression. */
const searches = ["Method1999", "pkg7", "nothing like this", "svc42/internal", "/Type1.*Method2/", "e"];

/**
 * Moves the graph and reports how long each frame took: script, raster and handing over, because the browser was started without a limit
 * on its frame rate. For a search, all frames count until its matches are on screen.
 */
export async function frameTimes(page: Page, motion: Motion): Promise<number[]> {
  await page.evaluate(drawInEachFrame);
  if (motion === "search") return page.evaluate(timeSearches, [...searches, ...searches]);
  return motion === "click" ? page.evaluate(timeClicks) : page.evaluate(timeMoves, motion);
}

/** A point that changes all the time: a frame in which nothing changes waits for the clock of a screen, and would seem to take 17 ms. */
function drawInEachFrame(): void {
  const id = "changes-in-each-frame";
  if (document.getElementById(id) !== null) return;
  const point = document.createElement("div");
  point.id = id;
  point.style.cssText = "position: fixed; left: 0; bottom: 0; width: 1px; height: 1px";
  document.body.append(point);
  const change = (frame: number) => {
    point.style.background = frame % 2 === 0 ? "#777" : "#888";
    requestAnimationFrame(() => change(frame + 1));
  };
  change(0);
}

/** A wheel or pointer event each frame: there and back again. */
async function timeMoves(motion: "zoom" | "pan" | "scroll" | "hover"): Promise<number[]> {
  const frames = 240;
  const graph = document.querySelector('[role="application"]');
  if (graph === null) throw new Error("There is no flame graph on the page.");
  const box = graph.getBoundingClientRect();
  const wheel = (options: WheelEventInit) => {
    const place = { clientX: box.left + box.width * 0.4, clientY: box.top + 300 };
    graph.dispatchEvent(new WheelEvent("wheel", { ...place, ...options, bubbles: true, cancelable: true }));
  };
  // 400 times nearer; a wheel step of 1 is a zoom of e to the 0.004.
  const zoomStep = (2 * Math.log(400)) / frames / 0.004;
  const moves = {
    zoom: (frame: number) => wheel({ ctrlKey: true, deltaY: frame < frames / 2 ? -zoomStep : zoomStep }),
    pan: (frame: number) => wheel({ shiftKey: true, deltaY: frame < frames / 2 ? 30 : -30 }),
    scroll: (frame: number) => {
      graph.scrollTop = (frame < frames / 2 ? frame : frames - frame) * 8;
    },
    hover: (frame: number) => {
      const place = {
        clientX: box.left + (box.width * frame) / frames,
        clientY: box.top + 30 + ((frame * 29) % 740),
      };
      graph.dispatchEvent(new PointerEvent("pointermove", { ...place, bubbles: true }));
    },
  };
  const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
  // Pans where there is something on both sides.
  if (motion === "pan") wheel({ ctrlKey: true, deltaY: -Math.log(20) / 0.004 });
  await nextFrame();
  await nextFrame();
  const times: number[] = [];
  let last = performance.now();
  for (let frame = 0; frame < frames; frame++) {
    moves[motion](frame);
    await nextFrame();
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  wheel({ ctrlKey: true, deltaY: 1e4 });
  graph.scrollTop = 0;
  await nextFrame();
  return times;
}

/** Zooms into one frame after the other by clicking, and back with Escape, each with its whole transition. */
async function timeClicks(): Promise<number[]> {
  const graph = document.querySelector('[role="application"]');
  if (graph === null) throw new Error("There is no flame graph on the page.");
  const box = graph.getBoundingClientRect();
  const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
  const times: number[] = [];
  const watch = async (act: () => void) => {
    await nextFrame();
    const start = performance.now();
    act();
    for (let last = start; last - start < 800; ) {
      await nextFrame();
      const now = performance.now();
      times.push(now - last);
      last = now;
    }
  };
  for (let row = 3; row < 12; row += 2) {
    const place = { clientX: box.left + 40, clientY: box.top + 20 + 24 * row + 12 };
    const options = { ...place, bubbles: true, button: 0, pointerId: 1 };
    await watch(() => {
      graph.dispatchEvent(new PointerEvent("pointerdown", options));
      graph.dispatchEvent(new PointerEvent("pointerup", options));
    });
    await watch(() => {
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    });
  }
  return times;
}

async function timeSearches(texts: readonly string[]): Promise<number[]> {
  const box = document.querySelector<HTMLInputElement>('input[type="search"]');
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  if (box === null || write === undefined) throw new Error("There is no search box on the page.");
  const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
  const type = (text: string) => {
    write.call(box, text);
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const enter = () => box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  const said = () => box.closest("div")?.parentElement?.querySelector('[role="status"]')?.textContent;
  const times: number[] = [];
  for (const text of texts) {
    type(text);
    await nextFrame();
    await nextFrame();
    const before = said();
    let last = performance.now();
    const watchFrame = async () => {
      await nextFrame();
      const now = performance.now();
      times.push(now - last);
      last = now;
    };
    // Without waiting for the typing to rest.
    enter();
    for (let frames = 0; said() === before; frames++) {
      if (frames === 500) throw new Error(`The search for ${text} showed no other result than "${before}".`);
      await watchFrame();
    }
    await watchFrame();
  }
  type("");
  enter();
  await nextFrame();
  return times;
}
