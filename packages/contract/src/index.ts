export * from "./alert-channels.ts";
export { alertComparisonSearch } from "./alert-comparison.ts";
export { alertSpan } from "./alert-span.ts";
export * from "./analysis.ts";
export * from "./analysis-comparison.ts";
export * from "./calls.ts";
export { demoPlaceholder, sessionEndedMessage } from "./credentials.ts";
export * from "./digest-options.ts";
export * from "./endpoint.ts";
export * from "./endpoints.ts";
export * from "./failure-codes.ts";
export * from "./failure-status.ts";
export { functionLink } from "./function-link.ts";
export {
  growthRate,
  growthSentences,
  isFault,
  isPartialRelease,
  releaseText,
  sinceOf,
  sinceText,
} from "./growth-text.ts";
export * from "./limits.ts";
export * from "./profile-types.ts";
export { readableLine } from "./readable.ts";
export * from "./service-name.ts";
export * from "./source-url.ts";
export * from "./time.ts";
export * from "./time-range.ts";
export { worstSignal } from "./worst-signal.ts";
