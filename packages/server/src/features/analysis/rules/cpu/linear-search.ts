import type { Fraction } from "@flamekeep/profile";
import { callRule, type Thresholds } from "#rules/call-rule.ts";
import { anyOf, functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import type { StackView } from "#rules/stack-view.ts";

const searching = functions("slices.{Index,Contains}*", "bytes.{Equal,Compare}");
/** Searches that call a function of the application for each element. */
const callback = functions("slices.{IndexFunc,ContainsFunc,EqualFunc}");
/** Comparisons that the compiler calls for == and < of strings. */
const comparing = functions(
  "runtime.{memequal*,strequal,cmpstring}",
  "memeqbody",
  "cmpbody",
  "internal/bytealg.Compare*",
  "strings.{EqualFold,Compare}",
  "cmp.Compare",
);

const sorting = functions("sort.*", "slices.{Sort,pdq,insertion,heap,partition,stable,BinarySearch}*");

const called = anyOf(searching, callback);

/** Comparing strings one by one for a tenth of all CPU is a search; how long the list is cannot be seen. */
const ofCalls: Thresholds = { low: 0.04, medium: 0.08, high: 0.25 };
const ofComparisons: Thresholds = { low: 0.05, medium: 0.12 };
/** A name proves little, so that only a dominating function is reported. */
const ofNames: Thresholds = { low: 0.2, medium: 0.35 };
/** From this share on, calls and comparisons are the better evidence, unless loops take several times as much. */
const shareOfLibrary: Fraction = 0.05;
const loopsRatio = 4;

/** Searches whose time goes into the look at an element itself: callbacks that do more are no matter of the search. */
function searchesByFunction(view: StackView): Selection {
  const { index } = view;
  const isSearch = index.flagsOf(callback);
  const isComparing = index.flagsOf(comparing);
  return view.select(callback, (from, to, stack) => {
    const leaf = view.functionAt(from);
    const isLook = index.innermost[stack] === from || isComparing[leaf] === 1 || isSearch[leaf] === 1;
    if (!isLook) return -1;
    for (let at = from; at < to; at++) if (isSearch[view.functionAt(at)] === 1) return at;
    return -1;
  });
}

function evidenceOf(selection: Selection): "called" | "compared" | "named" {
  if (selection.and(called).weight > selection.weight / 2) return "called";
  return selection.and(comparing).weight > selection.weight / 2 ? "compared" : "named";
}

/** Names of functions that look something up or compare lists: `find`, `(*directory).userByID`, `overlap`, not `hash`. */
const lookUp =
  /(?:^|[.)])(?:[fF]ind|[lL]ook[uU]p|[sS]earch|[iI]ndex|[cC]ontains|[iI]ncludes|[hH]as|[gG]et|[pP]osition|[lL]ocate|[eE]xists|[iI]s[A-Z]|[mM]ember|[iI]ntersect|[oO]verlap|[cC]ommon|[sS]hared|[uU]nique|[dD]istinct|[dD]edup|[dD]uplicate|[mM]issing|[mM]atch|[mM]erge|[jJ]oin|[wW]ithin|[aA]llowed|[pP]ermitted|[bB]locked|[bB]anned|[kK]nown|[oO]wner|[nN]earest|[cC]losest|[a-z]+(?:By|Of|For|In))(?:e?s)?(?:[A-Z0-9_][^.]*)?(?:\.func\d+)*$/;
const lookingUp = (name: string) => lookUp.test(name);

export const linearSearch = callRule({
  id: "linear-search",
  name: "Search through whole slices",
  looksAt:
    "CPU in slices.Contains, slices.Index, comparisons of strings one by one, and loops of functions named as look-ups.",
  yieldsTo: ["sort-with-reflection"],
  select: ({ main }) => {
    const compared = main.directCalls(anyOf(searching, comparing)).without(sorting);
    const byFunction = searchesByFunction(main);
    const library = byFunction.weight > compared.weight ? byFunction : compared;
    // Loops over numbers call nothing: then the name of the function is all that a profile shows.
    const loops = main.endingInApplication(lookingUp);
    const ratio = library.share < shareOfLibrary ? 1 : loopsRatio;
    return loops.share > library.share * ratio ? loops : library;
  },
  from: ({ selection }) =>
    ({ called: ofCalls, compared: ofComparisons, named: ofNames })[evidenceOf(selection)],
  confidence: ({ selection }) => ({ called: 0.85, compared: 0.65, named: 0.45 })[evidenceOf(selection)],
  saves: 0.9,
  issue: ({ where, share, selection }) =>
    `${where} spends ${share} ${evidenceOf(selection) === "named" ? "in a search loop" : "comparing elements one by one"}: use a map as index`,
  impact:
    "The time grows with the length of the list, and in a loop with its square. A map look-up takes the same time for any length, a binary search its logarithm.",
  solution: ({ where }) =>
    `Build an index once and look up in ${where}: a map from the key to the element, or map[K]struct{} for membership. A slice that is sorted anyway can be searched with slices.BinarySearch. Up to about ten elements the slice is the fastest.`,
  example: `type user struct {
	ID   string
	Name string
}

// directory finds users by id in constant time.
type directory struct {
	users []user
	byID  map[string]int
}

func newDirectory(users []user) *directory {
	byID := make(map[string]int, len(users))
	for i := range users {
		byID[users[i].ID] = i
	}
	return &directory{users: users, byID: byID}
}

func (d *directory) find(id string) (*user, bool) {
	i, ok := d.byID[id]
	if !ok {
		return nil, false
	}
	return &d.users[i], true
}
`,
});
