import {
  isSeparate,
  type ProfileType,
  profileTypeEntry,
  readableLine,
  typeAliases,
} from "@flamekeep/contract";
import {
  contradiction,
  isCounter,
  type Measurement,
  measurementsOf,
  type ProfileStacks,
  profileTypeOf,
  type ValueType,
} from "@flamekeep/profile";
import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";
import type { Upload } from "#ingest/upload/upload.ts";

type Content = Pick<ProfileStacks, "sampleTypes" | "defaultSampleType" | "periodType" | "period" | "stacks">;

/** The common name of a profile with such sample types, and the type to send it as. */
function contentOf(measured: Measurement): { readonly name: string; readonly type: string } {
  if (measured === "contention") return { name: "a mutex or block profile", type: "mutex or type=block" };
  if (measured === "parking") return { name: "a block profile", type: "block" };
  if (measured === "threadcreate") return { name: "a thread creation profile", type: "custom" };
  return { name: profileTypeEntry(measured).profile, type: measured };
}

/**
 * The type a profile is filed under. A type that the content contradicts is refused: the profile would be listed under that
 * type and have none of its figures. The name that a Pyroscope SDK gives never contradicts: it only decides where the content
 * leaves the type open.
 */
export function checkedType(
  { type: named, nameHint, sender }: Pick<Upload, "type" | "nameHint" | "sender">,
  content: Content,
): Outcome<ProfileType> {
  const { sampleTypes } = content;
  if (named === undefined) {
    const type = profileTypeOf(content, nameHint);
    const isOpen = type === "mutex" && sampleTypes.every(isCounter) && !/mutex/i.test(nameHint ?? "");
    return isOpen && sender === "api" ? untypedContentions : accepted(type);
  }
  const type = supposedType({ type: named, nameHint });
  const [measured] = contradiction(
    named === "threadcreate" || isSeparate(named) ? named : type,
    measurementsOf(content),
  );
  if (measured === undefined) return accepted(type);
  const { name, type: expected } = contentOf(measured);
  return refused(
    "unprocessable",
    "type",
    `The body is ${name} (${namesOf(sampleTypes)}), not type=${named}. Send it as type=${expected}, or leave type out.`,
  );
}

/** The type of a profile that cannot be read, by its name. */
export function supposedType({ type, nameHint }: Pick<Upload, "type" | "nameHint">): ProfileType {
  if (type === undefined) return profileTypeOf({ sampleTypes: [] }, nameHint);
  return type in typeAliases ? typeAliases[type as keyof typeof typeAliases] : (type as ProfileType);
}

const untypedContentions = refused(
  "invalid",
  "type",
  "type is required for this profile: mutex and block profiles have the same content. Choose one of them, in an address as type=mutex or type=block.",
);

const namesMax = 4;
const nameLengthMax = 60;

function namesOf(sampleTypes: readonly ValueType[]): string {
  const names = sampleTypes
    .slice(-namesMax)
    .reverse()
    .map(({ type, unit }) => readableLine(`${type}/${unit}`.slice(0, nameLengthMax)));
  return [...names, ...(sampleTypes.length > namesMax ? ["..."] : [])].join(", ");
}
