export { type CallSite, callSites } from "./describe/call-sites.ts";
export { commonLabels } from "./describe/common-labels.ts";
export { type Context, contextOf } from "./describe/context-of.ts";
export {
  type CpuStats,
  describe,
  describeStacks,
  durationText,
  hotPathShare,
  type Statistics,
  type StatisticsFacts,
} from "./describe/describe.ts";
export { type FunctionTotals, functionTotals, type TopFunction } from "./describe/function-totals.ts";
export { type GoroutineGroup, goroutineGroups } from "./describe/goroutine-state.ts";
export { type LabelTotal, type LabelTotals, labelTotals } from "./describe/label-totals.ts";
export type { Measure } from "./describe/measures.ts";
export {
  contradiction,
  defaultSampleType,
  isCounter,
  isCumulative,
  isGauge,
  type Measurement,
  measuredTypes,
  measurementsOf,
  measuresByType,
  measuresOf,
  measuresWithValues,
  preferredTypes,
  profileTypeOf,
} from "./describe/profile-type.ts";
export { type RecordedGoroutines, recordedGoroutines } from "./describe/recorded-goroutines.ts";
export { countColumn, sampleCountOf } from "./describe/sample-count.ts";
export { areAll, samplesWithMeasures, withMeasures } from "./describe/select-measures.ts";
export {
  callerOf,
  isWaitingPackage,
  isWaitingType,
  waitingPackages,
  waitsForCaller,
} from "./describe/waiting-frames.ts";
export { FramePattern } from "./drop-frames/drop-frames.ts";
export type { ProfileStacks } from "./fast-reader/fast-profile.ts";
export { otlpOfJson } from "./formats/otlp/otlp-json.ts";
export type { Field as OtlpField, Message as OtlpMessage } from "./formats/otlp/schema.ts";
export { type OtlpPart, splitOtlp } from "./formats/otlp/split-otlp.ts";
export { formatName, type Kind, readerOf, refusalOf, sniff } from "./formats/sniff.ts";
export { foldedValue, foldSets, type LabelLimits, type LabelSet } from "./labels/fold-sets.ts";
export type { Label, SampleLabels } from "./labels/sample-labels.ts";
export { groupStacks, type SplitStacks, type StackGroup, withSets } from "./labels/split-stacks.ts";
export { defaultLimits, type ReadLimits, type Trimmed, truncatedName } from "./model/limits.ts";
export type {
  FunctionColumns,
  LabelColumns,
  LocationColumns,
  MappingColumns,
  Profile,
  SampleColumns,
  ValueColumn,
} from "./model/profile.ts";
export type { ProfileError, ProfileErrorCode } from "./model/profile-error.ts";
export { Refusal as ReadRefusal } from "./model/profile-error.ts";
export type { FrameTable, StackTable, ValueType } from "./model/stack-table.ts";
export { type Bytes, type Fraction, nanosecondsPer, type Percent } from "./model/units.ts";
export { applicationFlags, deferWrapper } from "./names/application-flags.ts";
export {
  type Category,
  categoryOf,
  isGeneratedFile,
  isPlatformPackage,
  isStandardLibrary,
  packageSubsystem,
} from "./names/categories.ts";
export { type FrameFunctions, frameFunctions } from "./names/frame-functions.ts";
export {
  carriesPackage,
  functionKey,
  packageOf,
  packageOfFile,
  packagesOfFunctions,
  withoutShapes,
} from "./names/function-name.ts";
export { matchFunctions, side } from "./names/match-functions.ts";
export { isScript } from "./names/script-libraries.ts";
export { sourcePath } from "./names/source-path.ts";
export { processIdentity } from "./read/process-identity.ts";
export { type ReadResult, readProfile } from "./read/read-profile.ts";
export { readLabelledStacks, readStacks } from "./read-stacks.ts";
export { diffStacks, foldStacks, mergeStacks } from "./stacks/combine-stacks.ts";
export { hashStacks, type StackIds } from "./stacks/hash-stacks.ts";
export { LibraryEntries, libraryOf } from "./stacks/library-entries.ts";
export {
  hasGaugeDifferences,
  hasNegative,
  pairStacks,
  type TypeOfTable,
  withoutGaugeDifferences,
} from "./stacks/pair-stacks.ts";
export { sumStacks } from "./stacks/sum-stacks.ts";
export { sumOf, totalOf } from "./stacks/total-of.ts";
export { WireReader } from "./wire/wire-reader.ts";
export { WireWriter } from "./wire/wire-writer.ts";
export { type NamedValue, profileOfValues } from "./write/profile-of-values.ts";
export { type TextLabels, withTextLabels } from "./write/text-labels.ts";
export { profileOfStacks, type StackFacts, writeProfile } from "./write/write-profile.ts";
