import { timeRanges } from "@flamekeep/contract";
import { Check } from "lucide-react";
import type { ReactElement } from "react";
import { rangeLabel } from "#format/time.ts";
import { Kbd } from "#ui/content/kbd.tsx";
import { Popover } from "#ui/overlays/popover.tsx";
import { type ChangeableRange, RangeForm } from "./range-form.tsx";
import { isSameRange, lastRange, type ViewRange } from "./view-range.ts";

interface RangePopoverProps {
  readonly trigger: ReactElement;
  readonly state: ChangeableRange;
  /** Whether the keys for the range of the page change it. */
  readonly showsKeys?: boolean;
}

/** Presets, and a form for any other range. */
export function RangePopover({ trigger, state, showsKeys = false }: RangePopoverProps) {
  return (
    <Popover
      trigger={trigger}
      title="Time range"
      titleClass="sr-only"
      className="max-h-[var(--available-height)] w-[min(35rem,calc(100vw-1rem))] sm:flex"
      gap={6}
      margin={8}
    >
      {(close) => {
        const choose = (range: ViewRange) => {
          close();
          state.change(range);
        };
        return (
          <>
            <div className="flex flex-col justify-between border-line max-sm:border-b sm:w-44 sm:border-r">
              <Presets state={state} onChoose={choose} />
              {showsKeys && <Keys />}
            </div>
            <RangeForm state={state} onChoose={choose} />
          </>
        );
      }}
    </Popover>
  );
}

interface PresetsProps {
  readonly state: ChangeableRange;
  readonly onChoose: (range: ViewRange) => void;
}

function Presets({ state, onChoose }: PresetsProps) {
  return (
    <ul aria-label="Presets" className="grid shrink-0 grid-cols-2 content-start gap-0.5 p-2 sm:grid-cols-1">
      {timeRanges.map((span) => {
        const preset = lastRange(span);
        const isCurrent = preset !== undefined && isSameRange(preset, state.range);
        return (
          <li key={span}>
            <button
              type="button"
              aria-pressed={isCurrent}
              onClick={() => preset && onChoose(preset)}
              className="flex h-8 w-full items-center gap-2 rounded-badge px-2 text-left hover:bg-surface-2 max-md:min-h-10"
            >
              <span className="flex-1">{rangeLabel(span)}</span>
              {isCurrent && <Check aria-hidden className="size-4 text-accent-text" />}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The keys that work while the popup is closed, where there is a keyboard. */
function Keys() {
  return (
    <dl className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1.5 p-4 text-label text-muted max-sm:hidden">
      <dt className="flex gap-1">
        <Kbd>[</Kbd>
        <Kbd>]</Kbd>
      </dt>
      <dd>Move</dd>
      <dt className="flex gap-1">
        <Kbd>-</Kbd>
        <Kbd>=</Kbd>
      </dt>
      <dd>Widen, narrow</dd>
    </dl>
  );
}
