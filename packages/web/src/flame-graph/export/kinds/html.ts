import { nameQuery } from "@flamekeep/flame";
import { htmlPage } from "@flamekeep/flame/export";
import { sampleTypeLabel } from "#format/sample-value.ts";
import style from "./page/viewer.css?raw";
import script from "./page/viewer.js?raw";
import { type Half, halvesOf, type Picture, tooLarge } from "./picture.ts";

/** Each frame takes about 40 bytes of the file. */
const framesMax = 1_000_000;

/** A page that shows the graph without Flamekeep and without a network. */
export function writeHtml(picture: Picture): Blob {
  const { name, title, scene } = picture;
  const halves = halvesOf(picture);
  if (halves.some((half) => half.scene.tree.length > framesMax)) throw new Error(tooLarge);
  const page = htmlPage({
    title,
    about: `Flame graph of ${sampleTypeLabel(scene.tree.valueType.type)}, exported from Flamekeep as ${name}.`,
    graphs: halves.map((half) => graphOf(half, halves.length > 1)),
    search: textSearchOf(scene.search?.query ?? ""),
    theme: scene.colours.theme,
    script,
    style,
    nonce: crypto.getRandomValues(new Uint8Array(16)).reduce((text, byte) => text + byte.toString(16), ""),
  });
  return new Blob([page], { type: "text/html" });
}

/** The page searches for texts only: see viewer.js. */
function textSearchOf(query: string): string {
  return nameQuery(query).kind === "text" ? query : "";
}

function graphOf({ scene }: Half, isHalf: boolean) {
  const { tree, focus, direction, palette, colourOf } = scene;
  const isUpwards = direction === "up";
  return {
    name: isUpwards ? "Callers" : isHalf ? "Callees" : "Flame graph",
    tree,
    focus,
    isUpwards,
    colourOf: (node: number) => palette.fills[colourOf(node)]!,
  };
}
