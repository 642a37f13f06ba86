import {
  displayTypeOf,
  type GraphType,
  graphTypes,
  profileTypeEntry,
  type StoredType,
  typeAliases,
} from "@flamekeep/contract";
import { invalid } from "#failure";

/** The type and sample type that a profile type id of Pyroscope names: `process_cpu:cpu:nanoseconds:cpu:nanoseconds`. */
export interface NamedType {
  readonly type: GraphType;
  /** As stored: `cpu/nanoseconds`. */
  readonly sampleType: string;
}

/** The parts of an id, as Pyroscope's message has them. */
export interface ProfileTypeParts {
  readonly ID: string;
  readonly name: string;
  readonly sampleType: string;
  readonly sampleUnit: string;
  readonly periodType: string;
  readonly periodUnit: string;
}

/** Colons separate the parts of an id. */
function encoded(text: string): string {
  return text.replaceAll("%", "%25").replaceAll(":", "%3A");
}

function decoded(text: string): string {
  return text.replaceAll("%3A", ":").replaceAll("%25", "%");
}

function split(sampleType: string): readonly [type: string, unit: string] {
  const slash = sampleType.lastIndexOf("/");
  return slash < 0 ? [sampleType, ""] : [sampleType.slice(0, slash), sampleType.slice(slash + 1)];
}

function nameOf(type: GraphType): string {
  return profileTypeEntry(type).pyroscope?.name ?? type;
}

export function partsOf({ type, sampleType }: NamedType): ProfileTypeParts {
  const { pyroscope, measuredBy } = profileTypeEntry(type);
  const name = nameOf(type);
  const [sampleName, sampleUnit] = split(sampleType).map(encoded);
  const [periodType, periodUnit] = split(pyroscope?.period ?? measuredBy[0] ?? sampleType).map(encoded);
  const parts = [name, sampleName!, sampleUnit!, periodType!, periodUnit!];
  return {
    ID: parts.join(":"),
    name,
    sampleType: sampleName!,
    sampleUnit: sampleUnit!,
    periodType: periodType!,
    periodUnit: periodUnit!,
  };
}

/** Names that senders give to profiles of a type, besides its own. */
const otherNames: Readonly<Record<string, GraphType>> = { goroutines: "goroutine" };

/**
 * Reads an id. Its period does not matter: the name and the sample type select. A name that no type has is one of a custom profile. Throws
 * `invalid` with the accepted form.
 */
export function parseProfileTypeId(id: string): NamedType {
  const parts = id.split(":");
  const [name = "", sampleType = "", unit = ""] = parts;
  if ((parts.length !== 5 && parts.length !== 6) || name === "" || sampleType === "")
    throw invalid(
      "The profile type must be NAME:SAMPLE_TYPE:SAMPLE_UNIT:PERIOD_TYPE:PERIOD_UNIT, such as process_cpu:cpu:nanoseconds:cpu:nanoseconds",
    );
  const known =
    graphTypes.find((type) => nameOf(type) === name) ??
    (Object.hasOwn(otherNames, name) ? otherNames[name] : undefined);
  const alias = Object.hasOwn(typeAliases, name) ? typeAliases[name as keyof typeof typeAliases] : "custom";
  return { type: known ?? alias, sampleType: `${decoded(sampleType)}/${decoded(unit)}` };
}

/** The type that names a sample type of stored profiles. */
export function namedTypeOf(
  type: StoredType,
  sampleTypes: readonly string[],
  sampleType: string,
): NamedType | undefined {
  const displayType = displayTypeOf(type, sampleTypes);
  return displayType === "metrics" ? undefined : { type: displayType, sampleType };
}
