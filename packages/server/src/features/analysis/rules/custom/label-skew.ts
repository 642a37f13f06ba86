import type { Fraction, LabelTotal } from "@flamekeep/profile";
import type { Observation, Rule } from "#rules/rule.ts";
import type { Subject } from "#rules/subject.ts";
import { percent, shortName } from "#rules/text.ts";

/** From this share on one value dominates, if there are several others. */
const dominantShare: Fraction = 0.6;
const valuesMin = 4;
/** Longer values are texts of users or keys, and no help in a sentence. */
const valueLengthMax = 60;

export const labelSkew: Rule = {
  id: "label-skew",
  name: "One label value causes most of it",
  types: ["custom"],
  category: "other",
  looksAt: "Totals by label: whether one of several values has most of the profile.",
  example: `import "sync"

// limiter lets each tenant use a part of the slots only, so that one tenant
// cannot take all of them.
type limiter struct {
	mu        sync.Mutex
	inUse     map[string]int
	perTenant int
}

func (l *limiter) acquire(tenant string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inUse[tenant] >= l.perTenant {
		return false
	}
	l.inUse[tenant]++
	return true
}

func (l *limiter) release(tenant string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inUse[tenant]--; l.inUse[tenant] == 0 {
		delete(l.inUse, tenant)
	}
}
`,
  find(subject: Subject): Observation | undefined {
    const { main } = subject;
    const found = dominant(subject.labels.labels, main.total);
    const selection = main.throughApplication(() => true);
    const [caller] = selection.callers;
    if (found === undefined || caller === undefined) return undefined;
    const { label, share } = found;
    const value = label.value.slice(0, valueLengthMax);
    return {
      selection,
      priority: "low",
      confidence: 0.7,
      saves: 0,
      issue: `The label ${label.key} has several values, and one of them, ${value}, has ${percent(share)} of the profile.`,
      impact: `Most of it is below ${shortName(caller.name)}. All other values share its limits.`,
      solution: `Look at the flame graph for ${label.key} = ${value} alone. If it is a tenant or a route, limit its share of workers and connections, or give it instances; if it is a key, look for the loop that produces it.`,
    };
  },
};

/** The value with most of a label's total, of labels with enough values. */
function dominant(
  labels: readonly LabelTotal[],
  whole: number,
): { label: LabelTotal; share: Fraction } | undefined {
  const byKey = Map.groupBy(labels, ({ key }) => key);
  for (const values of byKey.values()) {
    if (values.length < valuesMin) continue;
    const totalOf = (label: LabelTotal) => label.totals.at(-1) ?? 0;
    const label = values.reduce((most, one) => (totalOf(one) > totalOf(most) ? one : most));
    const share = whole > 0 ? totalOf(label) / whole : 0;
    if (share >= dominantShare && share <= 1) return { label, share };
  }
  return undefined;
}
