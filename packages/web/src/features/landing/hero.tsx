import { Link } from "@tanstack/react-router";
import { DemoGraph } from "#demo-graph/demo-graph.tsx";
import { useIsSignedIn } from "#session/session.ts";
import { BrandMark } from "#ui/brand/brand.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { fromBase } from "#url/base-path.ts";
import { Actions } from "./actions.tsx";
import { ApiChip } from "./api-chip.tsx";

/** index.html has the same headline, for the time until this is there. */
export function Hero() {
  return (
    <div data-theme="dark" className="overflow-hidden bg-bg text-text">
      <TopBar />
      <div className="mx-auto max-w-[80rem] px-6 pt-14 pb-14 sm:pt-18">
        <h1 className="max-w-[15em] text-balance font-semibold text-[clamp(2.5rem,5vw,4rem)] leading-[1.04] tracking-[-0.035em]">
          Find the line of code that costs you.
        </h1>
        <p className="mt-6 max-w-[38em] text-[1.0625rem] text-muted leading-7">
          Flamekeep is continuous profiling you host yourself. Your services send CPU, memory, goroutine,
          mutex and block profiles; you see what changed, since when, and in which function.
        </p>
        <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-4">
          <Actions />
          <ApiChip />
        </div>
      </div>
      <div className="h-[30rem]">
        <DemoGraph captionClass="mx-auto max-w-[80rem] px-6" />
      </div>
    </div>
  );
}

function TopBar() {
  const isSignedIn = useIsSignedIn();
  return (
    <header className="mx-auto flex h-[4.75rem] max-w-[80rem] items-center gap-2.5 px-6">
      <BrandMark />
      <span className="flex-1 font-semibold text-[0.9375rem] tracking-tight">Flamekeep</span>
      <a
        href={fromBase("/docs")}
        target="_blank"
        rel="noreferrer"
        className={cx(buttonClass("ghost"), "max-sm:hidden")}
      >
        Read Documentation
      </a>
      <Link to={isSignedIn ? "/dashboard" : "/login"} className={buttonClass("secondary")}>
        {isSignedIn ? "Go to Dashboard" : "Sign In"}
      </Link>
    </header>
  );
}
