export { type OtlpProfile, otlpOf } from "./otlp-of.ts";
export { type PictureFacts, profileOf, stacksOf } from "./profile-of.ts";
