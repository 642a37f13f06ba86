import { priorityOf } from "#rules/call-rule.ts";
import { goVersionOf } from "#rules/go-version.ts";
import { functions } from "#rules/match.ts";
import type { Observation, Rule } from "#rules/rule.ts";
import type { Selection } from "#rules/selection.ts";
import type { Subject } from "#rules/subject.ts";
import { costOf } from "#rules/text.ts";

interface Gain {
  /** Minor version of Go 1 that brought it. */
  readonly since: number;
  readonly select: (subject: Subject) => Selection;
  readonly text: string;
  readonly saves: number;
}

const collection = functions("runtime.{gcBgMarkWorker,gcAssistAlloc*,gcDrain*}");
const maps = functions("runtime.map*", "internal/runtime/maps.*");
const allocation = functions("runtime.mallocgc*");

/** Gains that a profile can tell, newest first. */
const gains: readonly Gain[] = [
  {
    since: 26,
    select: ({ main }) => main.through(collection),
    text: "Go 1.26 collects garbage with the Green Tea collector, which takes 10 to 40% less CPU for the same heap",
    saves: 0.2,
  },
  {
    since: 24,
    select: ({ main }) => main.calls(maps),
    text: "Go 1.24 has Swiss-table maps, in which look-ups are up to a third faster",
    saves: 0.2,
  },
  {
    since: 26,
    select: ({ main }) => main.calls(allocation),
    text: "Go 1.26 allocates small objects up to a third faster",
    saves: 0.15,
  },
];

/** Versions before this one run in a container as if they had all processors of the machine. */
const containerAware = 25;

export const oldGoVersion: Rule = {
  id: "old-go-version",
  name: "An old Go version with known gains",
  types: ["cpu"],
  category: "cpu_optimization",
  isWholeProgram: true,
  looksAt: "The Go version, and the CPU in collection, maps and allocation, which newer versions do faster.",
  example: `import (
	"log/slog"
	"runtime"
)

// logRuntime logs the version that runs. After "go get go@latest" and
// "go get toolchain@latest", go.mod names the new one.
func logRuntime() {
	slog.Info("runtime", "version", runtime.Version(), "processors", runtime.GOMAXPROCS(0))
}
`,
  find(subject: Subject): Observation | undefined {
    const { below, text } = goVersionOf(subject);
    const found = gains
      .filter(({ since }) => below <= since)
      .map((gain) => ({ ...gain, selection: gain.select(subject) }))
      .filter(({ selection }) => priorityOf(selection, { low: 0.04, medium: 0.15 }) !== undefined)
      .sort((a, b) => b.selection.weight * b.saves - a.selection.weight * a.saves);
    const [best] = found;
    if (best === undefined) return undefined;
    const isUnaware = below <= containerAware;
    return {
      selection: best.selection,
      cause: best.selection.callers.length > 0 ? best.selection : subject.main.calls(allocation),
      priority: priorityOf(best.selection, { low: 0.04, medium: 0.15 }) ?? "low",
      confidence: 0.8,
      saves: best.saves,
      issue: `The program runs on ${text}. ${best.text}; here that is about ${costOf(subject, best.selection)}.`,
      impact: `${
        found.length > 1
          ? `It would also gain otherwise: ${found
              .slice(1)
              .map(({ text }) => text)
              .join("; ")}. `
          : ""
      }An upgrade changes no code: the Go 1 promise keeps programs compiling.`,
      solution: `Upgrade the toolchain and run the tests and benchmarks.${isUnaware ? " From Go 1.25 on, GOMAXPROCS follows the CPU limit of the container, which also ends throttling; until then set it, or use go.uber.org/automaxprocs." : ""} Compare profiles of before and after.`,
    };
  },
};
