import { growthRule } from "#rules/heap.ts";
import { functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import type { Subject } from "#rules/subject.ts";

const filling = functions(
  "runtime.mapassign*",
  "internal/runtime/maps.*",
  "reflect.mapassign*",
  "sync.(*Map).*",
  "container/list.*",
);
const cacheName =
  /(?:^|[.)])[a-zA-Z0-9]{0,100}(?:[cC]ache|[mM]emo|[sS]tore|[lL]ook[uU]p|[rR]emember|[iI]ntern|[rR]egister|[gG]et)[a-zA-Z0-9]{0,100}(?:\.func\d+)*$/;

/** Whether what grew is kept in a map: the same function or its caller fills one, or one of them is named as a cache. */
function isKeptInMap(subject: Subject, grown: Selection): boolean {
  const names = grown.evidence.map(({ name }) => name);
  if (names.some((name) => cacheName.test(name))) return true;
  const fillers = (subject.view("inuse_space") ?? subject.main).calls(filling).callers;
  return fillers.some(({ name }) => names.includes(name));
}

export const unboundedCache = growthRule({
  id: "unbounded-cache",
  name: "A cache without a limit",
  looksAt:
    "Memory in use that grew since an earlier profile, in functions that also fill a map, or are named as caches.",
  concerns: isKeptInMap,
  issue: ({ where, share }) => `${where} keeps ${share} in a cache without a limit: remove old entries`,
  solution: ({ where }) =>
    `Limit what is kept in ${where}: a least-recently-used cache with a maximum number of entries or bytes, or entries that expire and are removed. Keys that come from clients (query strings, ids, header values) need a limit in any case.`,
  example: `import (
	"container/list"
	"sync"
)

// cache keeps the most recently used entries, at most limit of them.
type cache struct {
	mu     sync.Mutex
	limit  int
	byKey  map[string]*list.Element
	recent *list.List
}

type entry struct {
	key   string
	value []byte
}

func newCache(limit int) *cache {
	return &cache{limit: limit, byKey: make(map[string]*list.Element, limit), recent: list.New()}
}

func (c *cache) get(key string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.byKey[key]
	if !ok {
		return nil, false
	}
	c.recent.MoveToFront(element)
	return element.Value.(entry).value, true
}

func (c *cache) put(key string, value []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if element, ok := c.byKey[key]; ok {
		element.Value = entry{key, value}
		c.recent.MoveToFront(element)
		return
	}
	c.byKey[key] = c.recent.PushFront(entry{key, value})
	if c.recent.Len() > c.limit {
		oldest := c.recent.Back()
		c.recent.Remove(oldest)
		delete(c.byKey, oldest.Value.(entry).key)
	}
}
`,
});
