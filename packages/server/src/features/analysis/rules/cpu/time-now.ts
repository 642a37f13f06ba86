import { callRule, type Found } from "#rules/call-rule.ts";
import { anyOf, functions } from "#rules/match.ts";

const reading = functions("time.{Now,Since,Until,now,runtimeNow}", "runtime.nanotime*");
const formatting = functions(
  "time.{Time.Format,Time.AppendFormat,Time.String,Time.MarshalText,Time.MarshalJSON,Parse*}",
  "time.LoadLocation*",
  "time.(*Time).Unmarshal*",
);
/** Days, months and time zones are computed from a number of seconds at each call. */
const computing = functions("time.{Time.*,Date,absSeconds.*,absDays.*}", "time.(*Location).*");

/** Reads and parses a file of the system for each call. */
const loading = functions("time.LoadLocation*");

const isLoading = ({ selection }: Found) => selection.and(loading).weight > selection.weight / 2;

export const timeNow = callRule({
  id: "time-now",
  name: "The clock read in hot code",
  looksAt:
    "CPU in reading the clock, in formatting and parsing times, and in computing with dates, where application code does it.",
  select: ({ main }) => main.directCalls(anyOf(reading, formatting, computing)),
  // Reading the clock takes about 40 ns: a percent of a core is 250,000 readings per second.
  from: { low: 0.015, medium: 0.05, high: 0.15 },
  confidence: 0.9,
  saves: 0.9,
  issue: (found) => {
    const { where, share, selection } = found;
    if (isLoading(found)) return `${where} spends ${share} loading time zones: load each once`;
    if (selection.and(formatting).weight > selection.weight / 2)
      return `${where} spends ${share} formatting or parsing times: keep the results`;
    return selection.and(reading).weight < selection.weight / 2
      ? `${where} spends ${share} computing with dates: keep the results`
      : `${where} spends ${share} reading the clock: read it once per request or batch`;
  },
  impact: (found) => {
    const { selection } = found;
    if (isLoading(found))
      return "time.LoadLocation opens, reads and parses a file of the time zone database at each call; nothing keeps the result.";
    const once = "Once per request or batch instead of once per item saves nearly all of that.";
    if (selection.and(formatting).weight > selection.weight / 2)
      return `Layouts are interpreted at each call, and the result is allocated. ${once}`;
    return selection.and(reading).weight < selection.weight / 2
      ? `Days, months and time zones are derived from seconds at each call. ${once}`
      : `time.Now takes tens of nanoseconds, in virtual machines without a fast clock source a microsecond. ${once}`;
  },
  solution: (found) =>
    isLoading(found)
      ? `Load the time zones of ${found.where} once: in package variables, or in a map by name with a lock around it.`
      : `Read the clock once outside the loop and pass the time on to ${found.where}. Measure durations of batches instead of single items, sample, or let a ticker store the current time in an atomic where a few milliseconds do not matter. Keep formatted times and dates as long as they are the same, and store times as integers (UnixNano) where nobody reads them.`,
  example: `import "time"

type entry struct{ expires time.Time }

// removeExpired reads the clock once for all entries.
func removeExpired(entries map[string]entry, now time.Time) {
	for key, one := range entries {
		if one.expires.Before(now) {
			delete(entries, key)
		}
	}
}
`,
});
