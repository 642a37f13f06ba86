import { channelImbalance } from "#rules/contention/channel-imbalance.ts";
import { connectionPoolWait } from "#rules/contention/connection-pool-wait.ts";
import { hotLock } from "#rules/contention/hot-lock.ts";
import { lockHeldOverIo } from "#rules/contention/lock-held-over-io.ts";
import { loggerLock } from "#rules/contention/logger-lock.ts";
import { rwmutexMisuse } from "#rules/contention/rwmutex-misuse.ts";
import { busyPolling } from "#rules/cpu/busy-polling.ts";
import { channelPerItem } from "#rules/cpu/channel-per-item.ts";
import { compressionLevel } from "#rules/cpu/compression-level.ts";
import { connectionPerRequest } from "#rules/cpu/connection-per-request.ts";
import { cryptoRandom } from "#rules/cpu/crypto-random.ts";
import { databaseNPlusOne } from "#rules/cpu/database-n-plus-one.ts";
import { deferInLoop } from "#rules/cpu/defer-in-loop.ts";
import { fmtInHotPath } from "#rules/cpu/fmt-in-hot-path.ts";
import { garbageCollection } from "#rules/cpu/garbage-collection.ts";
import { hashing } from "#rules/cpu/hashing.ts";
import { interfaceAllocation } from "#rules/cpu/interface-allocation.ts";
import { jsonReflection } from "#rules/cpu/json-reflection.ts";
import { linearSearch } from "#rules/cpu/linear-search.ts";
import { lockSpinning } from "#rules/cpu/lock-spinning.ts";
import { loggingCost } from "#rules/cpu/logging-cost.ts";
import { mapGrowth } from "#rules/cpu/map-growth.ts";
import { mapLookups } from "#rules/cpu/map-lookups.ts";
import { memoryCopies } from "#rules/cpu/memory-copies.ts";
import { missingPgo } from "#rules/cpu/missing-pgo.ts";
import { oldGoVersion } from "#rules/cpu/old-go-version.ts";
import { passwordHashing } from "#rules/cpu/password-hashing.ts";
import { reflection } from "#rules/cpu/reflection.ts";
import { regexpCompile } from "#rules/cpu/regexp-compile.ts";
import { regexpMatching } from "#rules/cpu/regexp-matching.ts";
import { repeatedParsing } from "#rules/cpu/repeated-parsing.ts";
import { requestPerItem } from "#rules/cpu/request-per-item.ts";
import { schedulerOverhead } from "#rules/cpu/scheduler-overhead.ts";
import { sliceGrowth } from "#rules/cpu/slice-growth.ts";
import { smallWrites } from "#rules/cpu/small-writes.ts";
import { sortWithReflection } from "#rules/cpu/sort-with-reflection.ts";
import { stringByteConversion } from "#rules/cpu/string-byte-conversion.ts";
import { stringConcatenation } from "#rules/cpu/string-concatenation.ts";
import { systemCalls } from "#rules/cpu/system-calls.ts";
import { templateExecution } from "#rules/cpu/template-execution.ts";
import { templateParse } from "#rules/cpu/template-parse.ts";
import { timeNow } from "#rules/cpu/time-now.ts";
import { tlsHandshakes } from "#rules/cpu/tls-handshakes.ts";
import { labelSkew } from "#rules/custom/label-skew.ts";
import { waitingWallTime } from "#rules/custom/waiting-wall-time.ts";
import { growingMemory } from "#rules/generic/growing-memory.ts";
import { blockedReceive } from "#rules/goroutine/blocked-receive.ts";
import { blockedSend } from "#rules/goroutine/blocked-send.ts";
import { goroutineLeak } from "#rules/goroutine/goroutine-leak.ts";
import { missingTimeout } from "#rules/goroutine/missing-timeout.ts";
import { stuckLock } from "#rules/goroutine/stuck-lock.ts";
import { tickerNotStopped } from "#rules/goroutine/ticker-not-stopped.ts";
import { unboundedFanOut } from "#rules/goroutine/unbounded-fan-out.ts";
import { unclosedClient } from "#rules/goroutine/unclosed-client.ts";
import { unclosedResponseBody } from "#rules/goroutine/unclosed-response-body.ts";
import { javaGarbage } from "#rules/java/garbage.ts";
import { javaLockWaits } from "#rules/java/lock-waits.ts";
import { javaRepeatedWorkRules } from "#rules/java/repeated-work.ts";
import { javaRuntimeRules } from "#rules/java/runtime-rules.ts";
import { javaTextRules } from "#rules/java/text-rules.ts";
import { javaValueRules } from "#rules/java/value-rules.ts";
import type { Language } from "#rules/language.ts";
import { poolWithoutReuse, splitTexts, timerPerItem } from "#rules/memory/allocating-calls.ts";
import { boxedValues } from "#rules/memory/boxed-values.ts";
import { bufferGrowth } from "#rules/memory/buffer-growth.ts";
import { garbagePerRequest } from "#rules/memory/garbage-per-request.ts";
import { heapGrowth } from "#rules/memory/heap-growth.ts";
import { jsonDecodeGarbage } from "#rules/memory/json-decode-garbage.ts";
import { largeObjects } from "#rules/memory/large-objects.ts";
import { pooledObjectMissing } from "#rules/memory/pooled-object-missing.ts";
import { readAll } from "#rules/memory/read-all.ts";
import { subsliceRetention } from "#rules/memory/subslice-retention.ts";
import { unboundedCache } from "#rules/memory/unbounded-cache.ts";
import { nodeGarbage } from "#rules/node/garbage.ts";
import { nodeRuntimeRules } from "#rules/node/runtime-rules.ts";
import { nodeValueRules } from "#rules/node/value-rules.ts";
import { pythonRuntimeRules } from "#rules/python/runtime-rules.ts";
import { pythonValueRules } from "#rules/python/value-rules.ts";
import type { Rule } from "#rules/rule.ts";

const goRules: readonly Rule[] = [
  channelImbalance,
  connectionPoolWait,
  hotLock,
  lockHeldOverIo,
  loggerLock,
  rwmutexMisuse,
  busyPolling,
  channelPerItem,
  compressionLevel,
  connectionPerRequest,
  cryptoRandom,
  databaseNPlusOne,
  deferInLoop,
  fmtInHotPath,
  garbageCollection,
  hashing,
  interfaceAllocation,
  jsonReflection,
  linearSearch,
  lockSpinning,
  loggingCost,
  mapGrowth,
  mapLookups,
  memoryCopies,
  missingPgo,
  oldGoVersion,
  passwordHashing,
  reflection,
  regexpCompile,
  regexpMatching,
  repeatedParsing,
  requestPerItem,
  schedulerOverhead,
  sliceGrowth,
  smallWrites,
  sortWithReflection,
  stringByteConversion,
  stringConcatenation,
  systemCalls,
  templateExecution,
  templateParse,
  timeNow,
  tlsHandshakes,
  labelSkew,
  waitingWallTime,
  blockedReceive,
  blockedSend,
  goroutineLeak,
  missingTimeout,
  stuckLock,
  tickerNotStopped,
  unboundedFanOut,
  unclosedClient,
  unclosedResponseBody,
  boxedValues,
  poolWithoutReuse,
  splitTexts,
  timerPerItem,
  bufferGrowth,
  garbagePerRequest,
  heapGrowth,
  jsonDecodeGarbage,
  largeObjects,
  pooledObjectMissing,
  readAll,
  subsliceRetention,
  unboundedCache,
];

/** The rules about each language. Their order does not matter. */
const byLanguage = {
  go: goRules,
  java: [
    ...javaValueRules,
    ...javaTextRules,
    ...javaRepeatedWorkRules,
    ...javaRuntimeRules,
    javaLockWaits,
    javaGarbage,
    growingMemory,
  ],
  python: [...pythonValueRules, ...pythonRuntimeRules, growingMemory],
  node: [...nodeValueRules, ...nodeRuntimeRules, nodeGarbage, growingMemory],
} as const satisfies Partial<Record<Language, readonly Rule[]>>;

/** Every rule. */
export const rules: readonly Rule[] = [...new Set(Object.values(byLanguage).flat())];

/** The rules about programs of a language; what holds for all of them where there are none. */
export function rulesOf(language: Language): readonly Rule[] {
  return language in byLanguage ? byLanguage[language as keyof typeof byLanguage] : [growingMemory];
}
