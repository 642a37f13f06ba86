import {
  type Hit,
  hitAt,
  interpolate,
  panBy,
  rowHeight,
  topPadding,
  type Viewport,
  viewportOf,
  zoomAt,
  zoomDurationMs,
} from "@flamekeep/flame";
import { drawOverlay, type OverlayArea, placePointer } from "./overlay.ts";
import { Painter } from "./paint.ts";
import { levelAt, rowsOf, rowY, type ScrolledArea } from "./rows.ts";
import type { Scene } from "./scene.ts";

interface StageParts {
  readonly canvas: HTMLCanvasElement;
  readonly overlay: HTMLCanvasElement;
  /** Frames the box under the pointer. */
  readonly pointer: HTMLElement;
  readonly scroller: HTMLElement;
}

/** Largest canvas in device pixels; larger ones use one pixel for each CSS pixel. */
const areaMax = 4096 * 2400;

/** Animation frames slower than this omit the labels of small boxes until the motion ends. */
const slowFrameMs = 8;

/**
 * Draws a scene on its canvases. Holds the state that changes with every animation frame (viewport, pointer, transition)
 * outside of React.
 */
export class Stage {
  readonly #parts: StageParts;
  readonly #painter = new Painter();
  readonly #context: CanvasRenderingContext2D;
  readonly #overlayContext: CanvasRenderingContext2D;
  #scene: Scene | null = null;
  #viewport: Viewport = { from: 0, to: 1 };
  #transition: { readonly from: Viewport; readonly to: Viewport; readonly start: number } | null = null;
  #widthPx = 0;
  #heightPx = 0;
  #hover: Hit | null = null;
  #frame = 0;
  #isStale = false;
  #isOverlayShown = true;
  #lastFrameMs = 0;

  constructor(parts: StageParts) {
    const context = parts.canvas.getContext("2d", { alpha: false });
    const overlayContext = parts.overlay.getContext("2d");
    if (context === null || overlayContext === null) throw new Error("This browser does not support canvas.");
    this.#parts = parts;
    this.#context = context;
    this.#overlayContext = overlayContext;
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
  }

  get viewport(): Viewport {
    return this.#viewport;
  }

  get widthPx(): number {
    return this.#widthPx;
  }

  /** Shows a scene. A different zoom of the same tree starts a transition from the current viewport. */
  show(scene: Scene, isMotionReduced: boolean): void {
    const before = this.#scene;
    this.#scene = scene;
    if (before?.tree !== scene.tree) {
      const zoomed = viewportOf(scene.tree, scene.zoom);
      // Frames that arrive during a zoom to their caller do not end it.
      if (this.#transition === null || !isSame(this.#transition.to, zoomed)) {
        this.#transition = null;
        this.#viewport = zoomed;
      }
      this.#parts.scroller.scrollTop = this.#startOf(scene);
    } else if (before.zoom !== scene.zoom) {
      this.#go(viewportOf(scene.tree, scene.zoom), isMotionReduced);
    }
    this.redraw();
  }

  /** Returns to the zoomed node after panning or zooming by hand. */
  returnToZoom(isMotionReduced: boolean): void {
    const scene = this.#scene;
    if (scene === null) return;
    const to = viewportOf(scene.tree, scene.zoom);
    if (isSame(to, this.#viewport)) return;
    this.#go(to, isMotionReduced);
    this.redraw();
  }

  resize(widthPx: number, heightPx: number): void {
    if (widthPx === this.#widthPx && heightPx === this.#heightPx) return;
    this.#widthPx = widthPx;
    this.#heightPx = heightPx;
    const wanted = window.devicePixelRatio || 1;
    const ratio = widthPx * heightPx * wanted * wanted > areaMax ? 1 : wanted;
    for (const canvas of [this.#parts.canvas, this.#parts.overlay]) {
      canvas.width = Math.round(widthPx * ratio);
      canvas.height = Math.round(heightPx * ratio);
    }
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#overlayContext.setTransform(ratio, 0, 0, ratio, 0, 0);
    // Resizing clears a canvas, so it is painted in the same frame.
    this.#draw(performance.now());
  }

  redraw(): void {
    this.#isStale = true;
    this.#request();
  }

  hitAt(x: number, y: number): Hit | null {
    const scene = this.#scene;
    if (scene === null || this.#widthPx === 0) return null;
    const row = levelAt(scene, this.#scrolled, y);
    if (row < scene.focusLevel) return null;
    const { from, to } = this.#viewport;
    return hitAt(scene.tree, from + (x / this.#widthPx) * (to - from), row);
  }

  hover(hit: Hit | null): void {
    this.#hover = hit;
    this.#request();
  }

  /** @param at 0 .. 1 across */
  zoomBy(at: number, factor: number): void {
    this.#move((viewport, whole) => zoomAt(viewport, whole, at, factor));
  }

  /** @param share of the visible width */
  panBy(share: number): void {
    this.#move((viewport, whole) => panBy(viewport, whole, share));
  }

  /** Scrolls a row into view. */
  reveal(row: number): void {
    const { scroller } = this.#parts;
    const scene = this.#scene;
    if (scene === null) return;
    const y = rowY(scene, this.#scrolled, row);
    if (y < topPadding) scroller.scrollTop += y - topPadding;
    else if (y + rowHeight > scroller.clientHeight)
      scroller.scrollTop += y + rowHeight * 2 - scroller.clientHeight;
  }

  #go(to: Viewport, isMotionReduced: boolean): void {
    this.#transition = isMotionReduced ? null : { from: this.#viewport, to, start: performance.now() };
    if (isMotionReduced) this.#viewport = to;
  }

  get #scrolled(): ScrolledArea {
    const { scrollTop, scrollHeight } = this.#parts.scroller;
    return { scrollTop, contentPx: scrollHeight };
  }

  /** Where another tree is scrolled to: callers begin at the bottom. */
  #startOf({ direction }: Scene): number {
    const { scrollTop, scrollHeight } = this.#parts.scroller;
    return direction === "up" ? scrollHeight : scrollTop;
  }

  #move(change: (viewport: Viewport, whole: Viewport) => Viewport): void {
    const scene = this.#scene;
    if (scene === null) return;
    this.#transition = null;
    this.#viewport = change(this.#viewport, viewportOf(scene.tree, scene.focus));
    this.redraw();
  }

  #request(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      if (this.#isStale || this.#transition !== null) this.#draw(now);
      else this.#placePointer();
    });
  }

  #draw(now: number): void {
    const scene = this.#scene;
    if (scene === null || this.#widthPx === 0) return;
    this.#isStale = false;
    this.#advance(now);
    const isMoving = this.#transition !== null;
    const area = {
      viewport: this.#viewport,
      widthPx: this.#widthPx,
      heightPx: this.#heightPx,
      ...this.#scrolled,
      labelFrom: isMoving && this.#lastFrameMs > slowFrameMs ? 40 : 24,
    };
    const start = performance.now();
    this.#painter.list(scene, area);
    this.#painter.draw(this.#context, scene, area);
    this.#lastFrameMs = performance.now() - start;
    this.#drawOverlay();
    this.#placePointer();
    if (isMoving) this.#request();
  }

  #advance(now: number): void {
    const transition = this.#transition;
    if (transition === null) return;
    const time = Math.max(0, now - transition.start) / zoomDurationMs;
    this.#viewport = interpolate(transition.from, transition.to, time);
    if (time >= 1) this.#transition = null;
  }

  /** An overlay without outlines is hidden: blending it with the graph costs as much as drawing the graph. */
  #drawOverlay(): void {
    const scene = this.#scene;
    if (scene === null) return;
    const isNeeded = scene.selected !== -1 || scene.outlined !== -1;
    if (isNeeded !== this.#isOverlayShown) {
      this.#parts.overlay.style.visibility = isNeeded ? "visible" : "hidden";
      this.#isOverlayShown = isNeeded;
    }
    if (isNeeded) drawOverlay(this.#overlayContext, scene, this.#painter.boxes, this.#overlayArea(scene));
  }

  #placePointer(): void {
    const scene = this.#scene;
    if (scene === null) return;
    const area = this.#overlayArea(scene);
    placePointer(this.#parts.pointer, scene, this.#painter.boxes, this.#hover, area);
  }

  #overlayArea(scene: Scene): OverlayArea {
    return { widthPx: this.#widthPx, heightPx: this.#heightPx, ...rowsOf(scene, this.#scrolled) };
  }
}

function isSame(a: Viewport, b: Viewport): boolean {
  return a.from === b.from && a.to === b.to;
}
