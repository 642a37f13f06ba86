import { formatValue } from "@flamekeep/flame";
import { callRule, type Found, type Thresholds } from "#rules/call-rule.ts";
import { grownMost, meanSize, memoryInUse } from "#rules/heap.ts";
import { functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import type { Subject } from "#rules/subject.ts";

/** Functions that make large texts. Programs often keep only a part of them. */
const reading = functions(
  "io.ReadAll",
  "os.{ReadFile,readFileContents}",
  "{bytes,strings}.*",
  "bufio.*",
  "io/ioutil.*",
  "encoding/*",
  "html.*",
  "net/url.*",
);
const sizeMin = 4096;
/** Of objects that the application makes itself, such as string(body): smaller ones are mostly kept on purpose. */
const ownSizeMin = 16 * 1024;

function retained(subject: Subject): Selection | undefined {
  const selection = memoryInUse(subject)?.and(reading);
  const read = selection?.callers
    .map((caller) => selection.of(caller))
    .find((part) => (meanSize(subject, part) ?? 0) >= sizeMin);
  return read ?? grownByItself(subject);
}

/** Large objects that the application makes itself, not by a library, and that become more and more. */
function grownByItself(subject: Subject): Selection | undefined {
  const grown = grownMost(subject);
  const name = grown?.isCertain === true ? grown.selection.callers[0]?.name : undefined;
  const own = subject.view("inuse_space")?.endingInApplication((other) => other === name);
  return own !== undefined && (meanSize(subject, own) ?? 0) >= ownSizeMin ? own : undefined;
}

const isRead = (selection: Selection) => selection.and(reading).weight > 0;

/** Texts that stay are often wanted; those that become more and more are not. */
const ofTexts: Thresholds = { low: 0.1, medium: 0.25 };
const ofGrowingTexts: Thresholds = { ...ofTexts, high: 0.4 };
/** That parts of an object are kept is then no more than a possibility. */
const ofOwnObjects: Thresholds = { low: 0.1, medium: Number.POSITIVE_INFINITY };

function isGrowing({ subject, caller }: Found): boolean {
  const grown = grownMost(subject);
  return grown?.isCertain === true && grown.selection.callers[0]?.ref === caller?.ref;
}

export const subsliceRetention = callRule({
  id: "subslice-retention",
  name: "Small parts that keep large texts alive",
  types: ["memory"],
  looksAt:
    "Memory in use in whole inputs and texts of 4 KiB and more that application code read, and in growing objects of 16 KiB and more.",
  select: retained,
  from: (found) => {
    if (!isRead(found.selection)) return ofOwnObjects;
    return isGrowing(found) ? ofGrowingTexts : ofTexts;
  },
  confidence: ({ selection }) => (isRead(selection) ? 0.75 : 0.4),
  saves: 0.9,
  issue: ({ where, share, selection, subject }) =>
    isRead(selection)
      ? `${where} keeps ${share} in whole texts: clone the needed parts`
      : `${where} keeps ${share} in objects of ${formatValue(meanSize(subject, selection) ?? 0, "bytes")}: clone the needed parts`,
  impact:
    "A short string or slice, such as text[:20] of string(body), keeps the whole object alive. A copy of the needed part releases the rest.",
  solution: ({ where, selection }) =>
    `Copy what is kept out of what ${where} ${isRead(selection) ? "read" : "makes"}: strings.Clone for strings, bytes.Clone or slices.Clone for slices, and s[:n:n] before appending. If the whole text is needed, store it compressed or read it again.`,
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
