import type { CssPixels } from "./viewport.ts";

/** A finger or a mouse button on the graph, in pixels of the graph. */
export interface Contact {
  readonly id: number;
  readonly x: CssPixels;
  readonly y: CssPixels;
}

/**
 * The gesture that the contacts make together.
 *
 * ```
 * idle --down--> press --far--> drag        a press that is lifted in its place is a tap
 *                  |              |
 *                 down           down       a third contact changes nothing
 *                  +---> pinch <--+         when one finger of a pinch lifts, the other continues as a drag
 * ```
 */
export type Gesture =
  | { readonly kind: "idle" }
  | { readonly kind: "press"; readonly at: Contact }
  | { readonly kind: "drag"; readonly at: Contact }
  | { readonly kind: "pinch"; readonly first: Contact; readonly second: Contact };

/** How the picture follows: first zoomed at a point, then moved. */
export interface Motion {
  readonly factor: number;
  /** Zoomed around this pixel. */
  readonly atPx: CssPixels;
  /** To the right in the tree, so the picture moves to the left. */
  readonly panPx: CssPixels;
  /** Down in the tree. */
  readonly scrollPx: CssPixels;
}

export const idle: Gesture = { kind: "idle" };

/** A press that moves farther sideways becomes a drag. A finger moves more than this, but it also hides the box under it. */
const dragFromPx = 4;

/** Fingers closer than this do not zoom further: a small movement would be a large factor. */
const pinchFromPx = 24;

export function contactDown(gesture: Gesture, contact: Contact): Gesture {
  switch (gesture.kind) {
    case "idle":
      return { kind: "press", at: contact };
    case "press":
    case "drag":
      return contact.id === gesture.at.id ? gesture : { kind: "pinch", first: gesture.at, second: contact };
    case "pinch":
      return gesture;
  }
}

export function contactMoved(
  gesture: Gesture,
  contact: Contact,
): { gesture: Gesture; motion: Motion | null } {
  switch (gesture.kind) {
    case "idle":
      return { gesture, motion: null };
    case "press":
    case "drag": {
      const { at, kind } = gesture;
      const isTooNear = kind === "press" && Math.abs(contact.x - at.x) < dragFromPx;
      if (contact.id !== at.id || isTooNear) return { gesture, motion: null };
      const motion = { factor: 1, atPx: contact.x, panPx: at.x - contact.x, scrollPx: 0 };
      return { gesture: { kind: "drag", at: contact }, motion };
    }
    case "pinch": {
      const first = contact.id === gesture.first.id ? contact : gesture.first;
      const second = contact.id === gesture.second.id ? contact : gesture.second;
      return { gesture: { kind: "pinch", first, second }, motion: pinched(gesture, { first, second }) };
    }
  }
}

export function contactUp(gesture: Gesture, id: number): { gesture: Gesture; isTap: boolean } {
  switch (gesture.kind) {
    case "idle":
      return { gesture, isTap: false };
    case "press":
    case "drag": {
      if (gesture.at.id !== id) return { gesture, isTap: false };
      return { gesture: idle, isTap: gesture.kind === "press" };
    }
    case "pinch": {
      const { first, second } = gesture;
      if (id !== first.id && id !== second.id) return { gesture, isTap: false };
      return { gesture: { kind: "drag", at: id === first.id ? second : first }, isTap: false };
    }
  }
}

interface Pair {
  readonly first: Contact;
  readonly second: Contact;
}

/** The point between the fingers stays between them, and the distance between them scales the picture. */
function pinched(before: Pair, after: Pair): Motion {
  const [from, to] = [middleOf(before), middleOf(after)];
  return {
    factor: distanceOf(after) / distanceOf(before),
    atPx: from.x,
    panPx: from.x - to.x,
    scrollPx: from.y - to.y,
  };
}

function middleOf({ first, second }: Pair) {
  return { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 };
}

function distanceOf({ first, second }: Pair): number {
  return Math.max(pinchFromPx, Math.hypot(first.x - second.x, first.y - second.y));
}
