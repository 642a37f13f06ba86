import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowRight, Play } from "lucide-react";
import type { ReactNode } from "react";
import { configQuery, useIsSignUpOpen } from "#api/query-client.ts";
import { enterDemo, useIsSignedIn } from "#session/session.ts";
import { BrandMark } from "#ui/content/brand.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { cx } from "#ui/cx.ts";
import { fromBase, serverAddress } from "#url/base-path.ts";
import { features, steps } from "./content.ts";

function Heading({ children }: { readonly children: ReactNode }) {
  return (
    <h2 className="text-balance font-semibold text-[2rem] leading-10 tracking-[-0.025em]">{children}</h2>
  );
}

export function Features() {
  return (
    <section className="mx-auto max-w-[80rem] px-6 pt-28">
      <Heading>Features</Heading>
      <ul className="mt-10 grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
        {features.map(({ title, text, icon: Icon }) => (
          <li key={title} className="bg-surface p-6">
            <Icon aria-hidden className="size-5 text-accent-text" strokeWidth={1.75} />
            <h3 className="mt-4 font-semibold text-card">{title}</h3>
            <p className="mt-1 text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function HowItWorks() {
  return (
    <section className="mx-auto grid max-w-[80rem] gap-12 px-6 pt-28 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div>
        <Heading>How It Works</Heading>
        <ol className="mt-8">
          {steps.map(({ title, text }, index) => (
            <li key={title} className="grid grid-cols-[2rem_minmax(0,1fr)] border-line border-t py-4">
              <span className="font-mono text-code text-muted leading-6">{index + 1}</span>
              <div>
                <h3 className="font-semibold text-card">{title}</h3>
                <p className="mt-0.5 text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
      <div className="lg:pt-18">
        <Commands />
      </div>
    </section>
  );
}

export function Projects() {
  return (
    <section className="mx-auto max-w-[80rem] px-6 py-28">
      <div className="flex flex-wrap items-center justify-between gap-6 border-line border-y py-10">
        <div className="max-w-[44em]">
          <Heading>All your services in one place</Heading>
          <p className="mt-3 text-muted leading-6">
            Each service becomes a project with its first profile: profile types, latest activity and every
            profile within your retention. No setup needed.
          </p>
        </div>
        <Link to="/projects" className={buttonClass("secondary", "lg")}>
          View projects
        </Link>
      </div>
    </section>
  );
}

export function Closing() {
  const isSignUpOpen = useIsSignUpOpen();
  return (
    <footer data-theme="dark" className="bg-bg text-text">
      <div className="mx-auto max-w-[80rem] px-6 pt-20 pb-16">
        <p className="mb-8 max-w-[18em] text-balance font-semibold text-[2rem] leading-10 tracking-[-0.025em]">
          The next slow release is already on its way.
        </p>
        <Actions />
      </div>
      <div className="mx-auto flex max-w-[80rem] flex-wrap items-center gap-x-6 gap-y-2 border-line border-t px-6 py-6 text-muted">
        <span className="flex flex-1 items-center gap-2 whitespace-nowrap">
          <BrandMark className="size-5!" />
          Flamekeep, Apache-2.0
        </span>
        <a href={fromBase("/docs")} target="_blank" rel="noreferrer" className="hover:text-text">
          Read Documentation
        </a>
        {isSignUpOpen && (
          <Link to="/register" className="hover:text-text">
            Create an account
          </Link>
        )}
      </div>
    </footer>
  );
}

interface Command {
  readonly title: string;
  readonly note: string;
  readonly code: string;
}

/** Commands that work as they are pasted. */
function commandsFor(origin: string): readonly Command[] {
  return [
    {
      title: "Run your own",
      note: "Run it in the project's folder with Node 18 or later. It installs its dependencies and serves demo data.",
      code: "npm start",
    },
    {
      title: "Send a profile to this server",
      note: "Ten seconds of CPU of a Go program that serves /debug/pprof. FLAMEKEEP_KEY is a key from Settings.",
      code: [
        `curl -s "http://localhost:6060/debug/pprof/profile?seconds=10" |`,
        `  curl -H "X-API-Key: $FLAMEKEEP_KEY" --data-binary @- \\`,
        `    "${origin}/api/v1/ingest/profiles?service=checkout&tag.instance=$(hostname)"`,
      ].join("\n"),
    },
  ];
}

function Commands() {
  return (
    <div className="flex flex-col gap-4">
      {commandsFor(serverAddress()).map(({ title, note, code }) => (
        <div key={title} className="rounded-card border border-line bg-surface">
          <div className="flex items-center justify-between border-line border-b py-1 pr-1.5 pl-4">
            <h3 className="font-medium text-label text-muted">{title}</h3>
            <CopyButton text={code} label={`Copy: ${title}`} />
          </div>
          <pre className="whitespace-pre-wrap px-4 py-3 font-mono text-code leading-5 [overflow-wrap:anywhere]">
            <code>{code}</code>
          </pre>
          <p className="px-4 pb-3 text-label text-muted">{note}</p>
        </div>
      ))}
    </div>
  );
}

/** The demo is the first action where there is one: it answers what the product is faster than any text. */
export function Actions() {
  const { data: config } = useQuery(configQuery);
  const hasDemo = config?.demo === true;
  return (
    // The order of the buttons depends on the server's answer, and their space does not.
    <div className={cx("flex flex-wrap gap-3", config === undefined && "invisible")}>
      {hasDemo && <DemoButton />}
      <Link to="/login" className={buttonClass(hasDemo ? "secondary" : "primary", "lg")}>
        Get Started
        {!hasDemo && <ArrowRight aria-hidden className="size-4" />}
      </Link>
      <Link to="/dashboard" className={buttonClass(hasDemo ? "ghost" : "secondary", "lg")}>
        View Dashboard
      </Link>
    </div>
  );
}

/** Opens the demo, unless somebody is signed in: their session stays, and the dashboard opens. */
function DemoButton() {
  const navigate = useNavigate();
  const isSignedIn = useIsSignedIn();
  if (isSignedIn) return null;

  function open() {
    enterDemo();
    void navigate({ to: "/dashboard" });
  }

  return (
    <Button variant="primary" size="lg" onClick={open}>
      <Play aria-hidden className="size-4" strokeWidth={1.75} />
      Open the demo
    </Button>
  );
}
