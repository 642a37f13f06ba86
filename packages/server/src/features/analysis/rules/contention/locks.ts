import { functions } from "#rules/match.ts";

/** Functions of locks below which goroutines wait, or make others wait. */
export const mutexes = functions(
  "sync.(*Mutex).*",
  "internal/sync.(*Mutex).*",
  "sync.(*RWMutex).*",
  "sync.(*Map).*",
  "internal/sync.(*HashTrieMap).*",
);

export const readWriteLocks = functions("sync.(*RWMutex).*");
