import { callRule, type Found, type Thresholds } from "#rules/call-rule.ts";
import { grownMost, meanSize, memoryInUse } from "#rules/heap.ts";
import { functions } from "#rules/match.ts";
import type { Subject } from "#rules/subject.ts";

/** Functions that make large texts. Programs often keep only a part of them. */
const reading = functions(
  "io.ReadAll",
  "os.ReadFile",
  "os.readFileContents",
  "bytes.*",
  "strings.*",
  "bufio.*",
  "io/ioutil.*",
  "encoding/*",
  "html.*",
  "net/url.*",
);
const sizeMin = 4096;

function retained(subject: Subject) {
  const selection = memoryInUse(subject)?.and(reading);
  return selection?.callers
    .map((caller) => selection.of(caller))
    .find((part) => (meanSize(subject, part) ?? 0) >= sizeMin);
}

/** Texts that stay are often wanted; those that become more and more are not. */
const ofTexts: Thresholds = { low: 0.1, medium: 0.25 };
const ofGrowingTexts: Thresholds = { ...ofTexts, high: 0.4 };

function isGrowing({ subject, caller }: Found): boolean {
  const grown = grownMost(subject);
  return grown?.isCertain === true && grown.selection.callers[0]?.name === caller.name;
}

export const subsliceRetention = callRule({
  id: "subslice-retention",
  name: "Small parts that keep large texts alive",
  types: ["memory"],
  category: "memory_optimization",
  looksAt: "Memory in use in whole inputs and texts of 4 KiB and more that application code read.",
  select: retained,
  from: (found) => (isGrowing(found) ? ofGrowingTexts : ofTexts),
  confidence: 0.75,
  saves: 0.9,
  issue: ({ where }) =>
    `${where} read whole texts that are still in memory. A short string or slice that was cut out of one keeps all of it alive.`,
  impact: () => "A copy of the part that is needed lets the rest go.",
  solution: ({ where }) =>
    `Copy what is kept out of what ${where} read: strings.Clone for strings, bytes.Clone or slices.Clone for slices, and s[:n:n] before appending. If the whole text is needed, store it compressed or read it again.`,
  example: String.raw`import (
	"os"
	"strings"
)

// titleOf keeps the first line only: without Clone it would refer to the whole
// document.
func titleOf(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	title, _, _ := strings.Cut(string(text), "\n")
	return strings.Clone(title), nil
}
`,
});
