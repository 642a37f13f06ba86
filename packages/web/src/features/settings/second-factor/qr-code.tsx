import { generate } from "lean-qr";

/** The empty margin that readers need, in modules (ISO 18004 asks for four). */
const margin = 4;

/** A QR code as one path of an inline SVG, black on white in both themes: many readers do not read inverted codes. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = generate(text);
  const size = code.size + 2 * margin;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-margin} ${-margin} ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-control"
    >
      {/* Not a class: the theme has no white. */}
      <rect x={-margin} y={-margin} width={size} height={size} fill="white" />
      <path d={pathOf(code)} fill="black" />
    </svg>
  );
}

/** A horizontal bar for each run of dark modules. */
export function pathOf(code: { readonly size: number; get(x: number, y: number): boolean }): string {
  let path = "";
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (!code.get(x, y)) continue;
      const start = x;
      while (code.get(x + 1, y)) x++;
      path += `M${start} ${y}h${x - start + 1}v1H${start}z`;
    }
  }
  return path;
}
