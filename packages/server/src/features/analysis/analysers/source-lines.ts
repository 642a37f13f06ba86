import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { withoutHidden, withoutSecrets } from "#analysis/analysers/untrusted-text.ts";
import { ownName } from "#rules/match.ts";
import type { HotLine } from "#rules/run/digest.ts";
import type { StoreLog } from "#store/log.ts";

/** Lines of a file around a hot line. */
export interface SourceLines {
  readonly place: HotLine;
  /** Each line with its number. */
  readonly text: string;
}

/** Where the sources of a service are: `<root>/<organization id>/<service>/`. */
export interface SourcePlace {
  readonly root: string;
  readonly orgId: string;
  readonly service: string;
}

const placesMax = 8;
const linesAround = 6;
const lineLengthMax = 200;
const textLengthMax = 12_000;
const fileBytesMax = 1024 * 1024;
/** Parts of a file's path in a profile. */
const segmentsMax = 24;

/**
 * The lines of the checked-out sources around hot lines, bounded and without secrets. Paths come from profiles, which anybody with a
 * key can send: only sources inside of the service's folder are read, symbolic links that lead out of it are not followed, and a file
 * counts only if it declares the function above the line, so that another version or another file of the same name shows nothing.
 */
export async function readSourceLines(
  place: SourcePlace,
  hotLines: readonly HotLine[],
  log: Pick<StoreLog, "warn">,
): Promise<SourceLines[]> {
  const read = await sourceReader(place, log);
  const found: SourceLines[] = [];
  let left = textLengthMax;
  for (const place of hotLines) {
    const lines = await read(place);
    const text = lines === undefined ? "" : snippet(lines, place.line);
    if (text === "" || text.length > left) continue;
    left -= text.length;
    found.push({ place, text });
    if (found.length === placesMax) break;
  }
  return found;
}

/** The function gives the lines of the file that declares the function of a place, as they are. */
export async function sourceReader(
  { root, orgId, service }: SourcePlace,
  log: Pick<StoreLog, "warn">,
): Promise<(place: Omit<HotLine, "share">) => Promise<string[] | undefined>> {
  // Names of services may have slashes.
  const names = [orgId, ...segmentsOf(service)];
  const report = faultReport(log);
  const folder = names.every(isSegment) ? await realpath(join(root, ...names)).catch(report) : undefined;
  return async (place) => (folder === undefined ? undefined : linesOf(folder, place, report));
}

/**
 * The lines of the file that declares the function of the place. A profile names files as the build saw them, `/build/shop/price.go` or
 * `example.com/shop/price.go`: their ends are paths in the checkout.
 */
async function linesOf(
  folder: string,
  { name, file, line }: Omit<HotLine, "share">,
  report: FaultReport,
): Promise<string[] | undefined> {
  const segments = segmentsOf(file);
  const declares = declarations.find(({ files }) => files.test(file))?.declares;
  if (declares === undefined || segments.length > segmentsMax || !segments.every(isSegment)) return undefined;
  for (let from = 0; from < segments.length; from++) {
    const text = await readInside(folder, segments.slice(from), report);
    const lines = text?.split("\n");
    if (lines !== undefined && line >= 1 && line <= lines.length && declares(lines, name, line)) return lines;
  }
  return undefined;
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function isSegment(text: string): boolean {
  return text !== "." && text !== ".." && !/[/\\\0]/.test(text);
}

async function readInside(
  folder: string,
  segments: readonly string[],
  report: FaultReport,
): Promise<string | undefined> {
  try {
    const path = await realpath(join(folder, ...segments));
    if (!path.startsWith(folder + sep) || !declarations.some(({ files }) => files.test(path)))
      return undefined;
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { size } = await file.stat();
    return size > fileBytesMax ? undefined : await file.readFile("utf8");
  } catch (error) {
    return report(error);
  }
}

type FaultReport = (error: unknown) => undefined;

/** A profile can name any path: these say only that no file has it. */
const absentCodes = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG"]);

/** Warns once of each cause, such as missing permission, whatever the number of files. */
function faultReport(log: Pick<StoreLog, "warn">): FaultReport {
  const reported = new Set(absentCodes);
  return (error) => {
    const code = String((error as NodeJS.ErrnoException).code);
    if (!reported.has(code)) log.warn({ err: error }, "source of a service cannot be read");
    reported.add(code);
    return undefined;
  };
}

/** How the files of a language show that they declare the function of a line. */
const declarations: readonly {
  readonly files: RegExp;
  readonly declares: (lines: readonly string[], name: string, line: number) => boolean;
}[] = [
  { files: /\.go$/, declares: nearestDeclares(1, /^func\s+(?:\([^)]*\)\s*)?([\p{L}_][\p{L}\p{N}_]*)/u) },
  { files: /\.py$/, declares: nearestDeclares(0, /^\s*(?:async\s+)?def\s+([\p{L}_][\p{L}\p{N}_]*)/u) },
  { files: /\.[cm]?[jt]s$|\.[jt]sx$/, declares: lineDeclares },
];

/**
 * Whether the declaration nearest above the line declares the function: of `shop.(*Book).seal.func1`, `seal`.
 *
 * @param packageNames names of a function that are those of its package
 */
function nearestDeclares(packageNames: number, declaration: RegExp) {
  return (lines: readonly string[], name: string, line: number): boolean => {
    const names = name
      .slice(name.lastIndexOf("/") + 1)
      .replace(/\[[^\]]{0,500}\]/g, "")
      .split(".")
      .slice(packageNames);
    for (let at = line - 1; at >= 0; at--) {
      const declared = declaration.exec(lines[at]!)?.[1];
      if (declared !== undefined) return names.includes(declared);
    }
    return false;
  };
}

/** Profiles of Node have the line on which the function starts. */
function lineDeclares(lines: readonly string[], name: string, line: number): boolean {
  const text = lines[line - 1]!;
  if (name.includes("(anonymous")) return /=>|function/.test(text);
  // The profile has the class as the name of its constructor.
  const isConstructor = /^\s*constructor\(/.test(text);
  return lines.slice(isConstructor ? 0 : line - 1, line).some((each) => each.includes(ownName(name)));
}

function snippet(lines: readonly string[], line: number): string {
  const from = Math.max(1, line - linesAround);
  return lines
    .slice(from - 1, line + linesAround)
    .map((text, index) => `${from + index}: ${cleanLine(text)}`)
    .join("\n");
}

function cleanLine(text: string): string {
  return withoutSecrets(withoutHidden(text.slice(0, lineLengthMax * 4)).replace(/\r$/, "")).slice(
    0,
    lineLengthMax,
  );
}
