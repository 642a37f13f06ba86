/** Calls the listener when the page changes between light and dark. */
export function subscribeTheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme", "class"] });
  return () => observer.disconnect();
}

type Rgb = readonly [red: number, green: number, blue: number];

const grey: Rgb = [128, 128, 128];
const known = new Map<string, Rgb>();

/** Any CSS colour in sRGB, by painting a pixel and reading it: the build rewrites the notation of tokens. */
export function rgbOf(colour: string): Rgb {
  const found = known.get(colour);
  if (found !== undefined) return found;
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return grey;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  const rgb: Rgb = [red, green, blue];
  known.set(colour, rgb);
  return rgb;
}
