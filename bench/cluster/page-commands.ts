import { blocksOf } from "@flamekeep/e2e/guide-code";

/** A command of a page, with the settings that its block gives it. */
export interface PageCommand {
  /** Such as `npm start`. */
  readonly command: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** A command after its settings. */
const commandPattern = /^((?:[A-Z_]+=\S+ )*)(npm (?:start|run [a-z-]+))$/;

/**
 * The commands of the blocks of a page that run `command`, in their order.
 *
 * @param here what this machine has in place of what the page has; each must be on the page
 */
export function pageCommands(
  page: string,
  command: string,
  here: Readonly<Record<string, string>>,
): readonly PageCommand[] {
  const blocks = blocksOf(page).filter(({ code }) => code.split("\n").some((line) => line.endsWith(command)));
  const written = blocks.map(({ code }) => code).join("\n");
  const missing = Object.keys(here).filter((text) => !written.includes(text));
  if (missing.length > 0)
    throw new Error(`${page} has no ${missing.join(", ")} in a block with "${command}"`);
  return blocks.flatMap(({ code }) => {
    const exported: Record<string, string> = {};
    return replaced(code, here)
      .split("\n")
      .flatMap((line): PageCommand[] => {
        if (line.startsWith("export ")) Object.assign(exported, settingsIn(line));
        const [, own = "", run = ""] = commandPattern.exec(line) ?? [];
        return run === command ? [{ command, settings: { ...exported, ...settingsIn(own) } }] : [];
      });
  });
}

function replaced(code: string, here: Readonly<Record<string, string>>): string {
  return Object.entries(here).reduce((text, [written, mine]) => text.replaceAll(written, mine), code);
}

function settingsIn(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name!, value!]));
}
