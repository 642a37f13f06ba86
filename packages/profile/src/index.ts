export { type CallSite, callSites } from "./call-sites.ts";
export { type Category, categoryOf } from "./categories.ts";
export { diffStacks, mergeStacks } from "./combine-stacks.ts";
export { commonLabels } from "./common-labels.ts";
export type { Context } from "./context-of.ts";
export {
  type CpuStats,
  describe,
  describeStacks,
  durationText,
  HOT_PATH_SHARE,
  type Statistics,
  type StatisticsFacts,
} from "./describe.ts";
export { foldStacks } from "./fold-stacks.ts";
export { packageOf, withoutShapes } from "./function-name.ts";
export type { TopFunction } from "./function-totals.ts";
export { samplesWithoutGaugeDifferences, withoutGaugeDifferences } from "./gauge-differences.ts";
export { type GoroutineGroup, goroutineGroups } from "./goroutine-groups.ts";
export { hashStacks, type StackIds } from "./hash-stacks.ts";
export { type LabelTotal, type LabelTotals, labelTotals } from "./label-totals.ts";
export { defaultLimits, type ReadLimits, type Trimmed } from "./limits.ts";
export { processIdentity } from "./process-identity.ts";
export type {
  FunctionColumns,
  LabelColumns,
  LocationColumns,
  MappingColumns,
  Profile,
  SampleColumns,
  ValueColumn,
} from "./profile.ts";
export type { ProfileError, ProfileErrorCode } from "./profile-error.ts";
export { Refusal as ReadRefusal } from "./profile-error.ts";
export { profileOfStacks, type StackFacts } from "./profile-of-stacks.ts";
export {
  contradiction,
  defaultSampleType,
  isCounter,
  isCumulative,
  isGauge,
  type Measurement,
  measurementsOf,
  type ProfileType,
  profileTypeOf,
  profileTypes,
} from "./profile-type.ts";
export { type ReadResult, readProfile } from "./read-profile.ts";
export { type ProfileStacks, readStacks } from "./read-stacks.ts";
export { countColumn, sampleCountOf } from "./sample-count.ts";
export { type Kind, refusalOf, sniff } from "./sniff.ts";
export type { FrameTable, StackTable, ValueType } from "./stacks.ts";
export { isStandardLibrary } from "./standard-library.ts";
export { sumStacks } from "./sum-stacks.ts";
export { sumOf, totalOf } from "./total-of.ts";
export { truncatedName } from "./truncated-frame.ts";
export { callerOf } from "./waiting-frames.ts";
export { WireReader } from "./wire-reader.ts";
export { writeProfile } from "./write-profile.ts";
