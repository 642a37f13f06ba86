import type { SideMeta } from "@flamekeep/flame/compare";
import { Link } from "@tanstack/react-router";
import { CalendarClock, Plus, X } from "lucide-react";
import { cloneElement, type FormEvent, Suspense, useState } from "react";
import { importOnce, lazyPart } from "#api/import-page.ts";
import { spanText } from "#charts/model/time-ticks.ts";
import { durationMsMeasure } from "#format/measure.ts";
import { plural } from "#format/number.ts";
import { chooseZone } from "#preferences/time-zone.ts";
import { betweenRange, boundsOf, defaultRange, isoText, type ViewRange } from "#time-range/view-range.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { ExactTime, Quantity } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Input } from "#ui/controls/input.tsx";
import { useFirstUse } from "#ui/hooks/first-use.ts";
import { type SideName, spanOfSide, tagOf } from "./model.ts";
import type { SideProps } from "./side-timeline.tsx";
import { TimelineSkeleton } from "./timeline-skeleton.tsx";
import type { Compare } from "./use-compare.ts";

// With the library of charts, which is not needed until the comparison is there.
const SideTimeline = lazyPart(async () => (await import("./side-timeline.tsx")).SideTimeline);

/** One side: which profiles it is made of, on a timeline where dragging chooses others. */
export function SideCard({ name, compare, meta, sampleType, window }: SideProps) {
  const side = meta[name];
  const span = spanOfSide(side);
  const title = name === "before" ? "Before" : "After";
  const detail =
    side.profileId === null
      ? `${side.service}, ${spanText(span.fromMs, span.toMs, compare.zone)}, ${plural(side.profiles, "profile")}`
      : side.service;
  return (
    <Card className="min-w-0">
      <CardHeader
        title={title}
        detail={detail}
        actions={
          <div className="flex min-w-0 flex-wrap gap-2">
            {side.profileId === null && <SideRange {...{ name, side, compare }} />}
            {side.profileId === null && (
              <SideTags
                label={`Tags of ${title.toLowerCase()}`}
                noun="Tag"
                example="version:1.4.2"
                tags={side.tags}
                onChange={(tags) => compare.changeSide(name, { tags })}
              />
            )}
            <SideTags
              label={`Labels of ${title.toLowerCase()}`}
              noun="Label"
              example="handler:/checkout"
              tags={side.labels ?? {}}
              onChange={(labels) => compare.changeSide(name, { labels })}
            />
          </div>
        }
      />
      {side.profileId === null ? (
        <Suspense
          fallback={
            <div className="px-3 pb-2">
              <TimelineSkeleton />
            </div>
          }
        >
          <SideTimeline {...{ name, compare, meta, sampleType, window }} />
        </Suspense>
      ) : (
        <dl className="grid grid-cols-2 gap-4 px-4 pb-4 text-label">
          <div>
            <dt className="text-muted">Profile</dt>
            <dd>
              <Link
                to="/profile/$profileId"
                params={{ profileId: side.profileId }}
                className="font-mono text-accent-text text-code hover:underline"
              >
                {side.profileId.slice(0, 12)}
              </Link>
            </dd>
          </div>
          <div>
            <dt className="text-muted">Started</dt>
            <dd>
              <ExactTime at={side.from} />
              {side.durationMs > 0 && (
                <>
                  {", for "}
                  <Quantity value={durationMsMeasure(side.durationMs)} />
                </>
              )}
            </dd>
          </div>
        </dl>
      )}
    </Card>
  );
}

const loadRangePopover = importOnce(() => import("#time-range/range-popover.tsx"));

interface SideRangeProps {
  readonly name: SideName;
  readonly side: SideMeta;
  readonly compare: Compare;
}

/** Chooses the range of a side by a preset or by typing: an empty timeline cannot be dragged. */
function SideRange({ name, side, compare }: SideRangeProps) {
  const { used, triggerProps } = useFirstUse(loadRangePopover, "dialog");
  const { fromMs, toMs } = spanOfSide(side);
  const range = betweenRange(fromMs, toMs) ?? defaultRange;
  const trigger = (
    <Button size="sm" variant="ghost" aria-label={`Range of ${name}`}>
      <CalendarClock aria-hidden className="size-3.5" strokeWidth={1.75} />
      Range
    </Button>
  );
  if (used === undefined) return cloneElement(trigger, triggerProps);
  // The address has instants, so that a link shows the same comparison later.
  const change = (next: ViewRange) => {
    const bounds = boundsOf(next, Date.now());
    compare.changeSide(name, { from: isoText(bounds.fromMs), to: isoText(bounds.toMs) });
  };
  return (
    <used.parts.RangePopover
      trigger={trigger}
      state={{ range, change, zone: compare.zone, changeZone: chooseZone }}
    />
  );
}

type Tags = Readonly<Record<string, string>>;

interface SideTagsProps {
  readonly label: string;
  readonly noun: "Tag" | "Label";
  readonly example: string;
  readonly tags: Tags;
  readonly onChange: (tags: Tags | undefined) => void;
}

/** The tags that the profiles of a side must have, or the labels of its samples: two versions are two sets of tags. */
function SideTags({ label, noun, example, tags, onChange }: SideTagsProps) {
  const [text, setText] = useState<string>();
  const entries = Object.entries(tags);

  function add(event: FormEvent) {
    event.preventDefault();
    const tag = tagOf(text ?? "");
    if (tag === undefined) return;
    setText(undefined);
    onChange({ ...tags, [tag[0]]: tag[1] });
  }

  function remove(name: string) {
    const rest = entries.filter(([each]) => each !== name);
    onChange(rest.length === 0 ? undefined : Object.fromEntries(rest));
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws its own frame
    <div role="group" aria-label={label} className="flex min-w-0 flex-wrap items-center gap-2">
      {entries.map(([name, value]) => (
        <Button key={name} size="sm" onClick={() => remove(name)} aria-label={`Remove ${name}:${value}`}>
          <span className="max-w-40 truncate">
            {name}:{value}
          </span>
          <X aria-hidden className="size-3.5" strokeWidth={1.75} />
        </Button>
      ))}
      {text === undefined ? (
        <Button size="sm" variant="ghost" onClick={() => setText("")}>
          <Plus aria-hidden className="size-3.5" strokeWidth={1.75} />
          {noun}
        </Button>
      ) : (
        <form onSubmit={add} className="flex items-center gap-2">
          <Input
            autoFocus
            aria-label={`${noun} as name:value`}
            placeholder={example}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && setText(undefined)}
            className="h-7 w-40 text-label"
          />
          <Button type="submit" size="sm" disabled={tagOf(text) === undefined}>
            Add
          </Button>
        </form>
      )}
    </div>
  );
}
