import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { configQuery } from "#api/query-client.ts";
import { DemoGraph } from "#demo-graph/demo-graph.tsx";
import { usePageTitle } from "#layout/page-title.ts";
import { useIsSignedIn } from "#session/session.ts";
import { BrandMark } from "#ui/content/brand.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { fromBase } from "#url/base-path.ts";
import { chapters } from "./content.ts";
import { Actions, Closing, Features, HowItWorks, Projects } from "./sections.tsx";

export function LandingPage() {
  usePageTitle("Continuous profiling you host yourself");
  return (
    <div className="bg-bg">
      <main>
        <Hero />
        <Story />
        <Features />
        <HowItWorks />
        <Projects />
      </main>
      <Closing />
    </div>
  );
}

/** index.html has the same headline, for the time until this is there. */
function Hero() {
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
  const { data: config } = useQuery(configQuery);
  return (
    <header className="mx-auto flex h-[4.75rem] max-w-[80rem] items-center gap-2.5 px-6">
      <BrandMark />
      <span className="flex-1 font-semibold text-[0.9375rem] tracking-tight">Flamekeep</span>
      {config?.open_files != null && (
        <Link to="/open" className={cx(buttonClass("ghost"), "max-sm:hidden")}>
          Open a File
        </Link>
      )}
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

/** Whether the server responds. Reserves its space until the first response. */
function ApiChip() {
  const { status } = useQuery(configQuery);
  const isThere = status === "success";
  return (
    <p
      role="status"
      className={cx(
        "inline-flex items-center gap-2 rounded-full border border-line bg-surface px-3 py-1 text-label",
        status === "pending" && "invisible",
      )}
    >
      <span aria-hidden className={cx("size-2 rounded-full", isThere ? "bg-ok" : "bg-warning")} />
      <span className="font-medium">{isThere ? "API CONNECTED" : "API NOT CONNECTED"}</span>
      <span className="text-muted">{isThere ? "Using Live API" : "The server cannot be reached"}</span>
    </p>
  );
}

/** The way from a change to its cause, with pictures of the demo in the theme of the page. */
function Story() {
  return (
    <section className="mx-auto max-w-[80rem] px-6 pt-24">
      <h2 className="max-w-[18em] text-balance font-semibold text-[2rem] leading-10 tracking-[-0.025em]">
        From “it got slower” to the function, in three steps
      </h2>
      <ol className="mt-14 flex flex-col gap-20">
        {chapters.map(({ title, text, alt, light, dark }, index) => (
          <li
            key={title}
            className="grid items-start gap-x-12 gap-y-5 lg:grid-cols-[minmax(0,17rem)_minmax(0,1fr)]"
          >
            <div className="lg:sticky lg:top-10">
              <span className="font-mono text-accent-text text-code">{index + 1}</span>
              <h3 className="mt-2 font-semibold text-page tracking-tight">{title}</h3>
              <p className="mt-2 text-muted leading-6">{text}</p>
            </div>
            <div className="overflow-hidden rounded-card border border-line bg-surface">
              <Picture src={light} alt={alt} className="dark:hidden" />
              <Picture src={dark} alt={alt} className="hidden dark:block" />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface PictureProps {
  readonly src: string;
  readonly alt: string;
  readonly className: string;
}

/** A picture that is not shown in this theme is not loaded either. */
function Picture({ src, alt, className }: PictureProps) {
  return (
    <img
      src={src}
      alt={alt}
      width={1440}
      height={900}
      loading="lazy"
      className={cx("h-auto w-full", className)}
    />
  );
}
