export { type PictureFacts, profileOf, stacksOf } from "./profile-of.ts";
