import { importPage } from "#api/import-page.ts";
import { saveFile } from "#api/save-file.ts";
import { showToast } from "#ui/overlays/toast.ts";
import type { Picture } from "./kinds/picture.ts";

/** Makes the content of a file. */
type WriteFile = (picture: Picture) => Blob | Promise<Blob>;

export type FormatName = "svg" | "png" | "html" | "folded" | "pprof" | "speedscope";

interface Format {
  readonly label: string;
  readonly extension: string;
  /** Exports are rare, so the code of each is loaded when one is made. */
  readonly load: () => Promise<WriteFile>;
}

/** The exports of a graph. */
export const formats: Readonly<Record<FormatName, Format>> = {
  svg: format("SVG picture", "svg", async () => (await import("./kinds/svg.ts")).writeSvg),
  png: format("PNG picture", "png", async () => (await import("./kinds/png.ts")).writePng),
  html: format("HTML page, interactive", "html", async () => (await import("./kinds/html.ts")).writeHtml),
  folded: format("Folded stacks", "folded.txt", async () => (await import("./kinds/stacks.ts")).writeFolded),
  pprof: format("pprof of this view", "pb.gz", async () => (await import("./kinds/stacks.ts")).writePprof),
  speedscope: format(
    "speedscope",
    "speedscope.json",
    async () => (await import("./kinds/stacks.ts")).writeSpeedscope,
  ),
};

function format(label: string, extension: string, load: Format["load"]): Format {
  return { label, extension, load };
}

export const formatNames = Object.keys(formats) as FormatName[];

/** Saves the graph on screen as a file. */
export function savePicture(format: FormatName, picture: Picture): void {
  const { load, extension } = formats[format];
  importPage(load)
    .then(async (write) => saveFile(`${picture.name}.${extension}`, await write(picture)))
    .catch((error: Error) => showToast(error.message, "critical"));
}
