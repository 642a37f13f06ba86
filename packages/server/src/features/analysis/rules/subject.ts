import type { ProfileType } from "@flamekeep/contract";
import {
  contextOf,
  defaultSampleType,
  type LabelTotals,
  labelTotals,
  type Profile,
  type StackTable,
  sumStacks,
  type ValueType,
} from "@flamekeep/profile";
import { type Language, languageOf } from "./language.ts";
import { StackIndex } from "./stack-index.ts";
import { StackView } from "./stack-view.ts";

/** Facts about the service besides its profiles. Each may be missing. */
export interface SubjectFacts {
  /** Requests per second of one instance while the profile was taken. */
  readonly requestsPerSecond?: number | undefined;
  /** Instances of the service that sent profiles lately. */
  readonly instances?: number | undefined;
  /** Such as `go1.26.1`, if the sender said so. */
  readonly goVersion?: string | undefined;
  /** Releases of the service, oldest first. */
  readonly deploys?: readonly { readonly version: string; readonly atMs: number }[] | undefined;
}

export interface SubjectParts {
  readonly type: ProfileType;
  readonly stacks: StackTable;
  /** Index of the sample type that an analysis of this profile is about. */
  readonly sampleType: number;
  /** 0 for snapshots. */
  readonly durationNs: number;
  /** When the profile was taken; 0 if unknown. */
  readonly timeMs: number;
  readonly comments?: readonly string[];
  readonly facts?: SubjectFacts;
  readonly labels?: () => LabelTotals;
  /** Earlier profiles of the same series, oldest first. Called when a rule asks for them. */
  readonly earlier?: () => readonly Subject[];
  /** The newest profiles of the same service, of other types. */
  readonly related?: () => readonly Subject[];
}

/** A profile with its neighbours and facts about the service: everything that a rule can look at. */
export class Subject {
  readonly type: ProfileType;
  readonly durationNs: number;
  readonly timeMs: number;
  readonly facts: SubjectFacts;
  readonly index: StackIndex;
  /** The view of the sample type that the analysis is about. */
  readonly main: StackView;
  readonly #parts: SubjectParts;
  readonly #views = new Map<string, StackView>();
  /** The subject that this one was derived from: it shares what is slow to read. */
  readonly #original: Subject | undefined;
  readonly #hidden: ReadonlySet<number>;
  #earlier: readonly Subject[] | undefined;
  #related: readonly Subject[] | undefined;
  #goVersion: string | undefined;
  #language: Language | undefined;

  /** `original` and `hidden` are given by `without`. */
  constructor(parts: SubjectParts, original?: Subject, hidden: ReadonlySet<number> = new Set()) {
    this.#parts = parts;
    this.#original = original;
    this.#hidden = hidden;
    this.type = parts.type;
    this.durationNs = parts.durationNs;
    this.timeMs = parts.timeMs;
    this.facts = parts.facts ?? {};
    this.index = original?.index ?? new StackIndex(parts.stacks);
    this.main = this.#viewOf(Math.max(0, parts.sampleType));
  }

  /** The stacks by another sample type, such as `alloc_space`; undefined if the profile lacks it. */
  view(sampleType: string): StackView | undefined {
    const column = this.#parts.stacks.sampleTypes.findIndex(({ type }) => type === sampleType);
    return column < 0 ? undefined : this.#viewOf(column);
  }

  /** The same subject as if these stacks had no value; shares still refer to the whole profile. */
  without(stacks: ReadonlySet<number>): Subject {
    return new Subject(this.#parts, this, stacks);
  }

  /** Earlier profiles of the same series, oldest first. */
  get earlier(): readonly Subject[] {
    this.#earlier ??= this.#original?.earlier ?? this.#parts.earlier?.() ?? [];
    return this.#earlier;
  }

  /** The newest profile of another type of the same service. */
  related(type: ProfileType): Subject | undefined {
    if (this.#original !== undefined) return this.#original.related(type);
    this.#related ??= this.#parts.related?.() ?? [];
    return this.#related.find((subject) => subject.type === type);
  }

  get labels(): LabelTotals {
    return this.#parts.labels?.() ?? { labels: [], count: 0 };
  }

  /** Such as `go1.26.1`; `unknown` if neither the sender nor the profile says so. */
  get goVersion(): string {
    this.#goVersion ??= this.facts.goVersion ?? this.#versionInProfile();
    return this.#goVersion;
  }

  /** The language of the program. */
  get language(): Language {
    this.#language ??= this.#original?.language ?? languageOf(this.main);
    return this.#language;
  }

  /** CPU cores that the profile used on average; undefined if it does not measure CPU over a time. */
  get cores(): number | undefined {
    return this.type === "cpu" ? this.coresOf(this.main.total, this.main.sampleType) : undefined;
  }

  /** Cores that a value is worth, or threads that it keeps busy; undefined if it is no time over a time. */
  coresOf(value: number, { unit }: ValueType): number | undefined {
    const ns = timeUnits[unit];
    return ns === undefined || this.durationNs <= 0 ? undefined : (value * ns) / this.durationNs;
  }

  #viewOf(column: number): StackView {
    const { sampleTypes } = this.#parts.stacks;
    const name = sampleTypes[column]?.type ?? "";
    let view = this.#views.get(name);
    if (view === undefined) {
      const samples = sampleTypes.findIndex(({ type }) => type === "samples" || type === "sample");
      view = new StackView(this.index, column, samples < 0 ? undefined : samples, this.#hidden);
      this.#views.set(name, view);
    }
    return view;
  }

  #versionInProfile(): string {
    const { stacks, comments = [] } = this.#parts;
    return contextOf(stacks, { comments, mappingFiles: [] }).goVersion;
  }
}

const timeUnits: Readonly<Record<string, number>> = { nanoseconds: 1, microseconds: 1e3, milliseconds: 1e6 };

type Neighbours = Partial<Pick<SubjectParts, "facts" | "earlier" | "related" | "timeMs">>;

export function subjectOf(profile: Profile, type: ProfileType, neighbours: Neighbours = {}): Subject {
  return new Subject({
    type,
    stacks: sumStacks(profile),
    sampleType: defaultSampleType(profile, type),
    durationNs: Number(profile.durationNs),
    timeMs: Number(profile.timeNs) / 1e6,
    comments: profile.comments,
    labels: () => labelTotals(profile),
    ...neighbours,
  });
}
