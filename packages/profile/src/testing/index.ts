export { cpuWords } from "./cpu-words.ts";
export { firefoxExample, speedscopeExample } from "./json-examples.ts";
export { type OtlpProfile, otlpOf } from "./otlp-of.ts";
export { type PictureFacts, profileOf, stacksOf } from "./profile-of.ts";
export { block, bytesOf, number, packed } from "./proto.ts";
export { recordingOf } from "./recording-of.ts";
