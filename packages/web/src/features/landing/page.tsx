import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import { usePageTitle } from "#layout/page-title.ts";
import { useSession } from "#session/session.ts";
import { BrandMark, FlameBackdrop } from "#ui/brand/brand.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { ApiChip } from "./api-chip.tsx";
import { Commands } from "./commands.tsx";
import { features, steps } from "./content.ts";

export function LandingPage() {
  usePageTitle("Continuous profiling you host yourself");
  return (
    <div className="bg-bg">
      <main>
        <Hero />
        <Features />
        <HowItWorks />
        <Projects />
      </main>
      <Footer />
    </div>
  );
}

function Hero() {
  const session = useSession();
  const isSignedIn = session.status === "authenticated" && !session.isDemo;
  return (
    <div data-theme="dark" className="relative overflow-hidden bg-bg text-text">
      <header className="relative z-10 mx-auto flex max-w-6xl items-center gap-3 px-6 py-5">
        <BrandMark />
        <span className="flex-1 font-semibold text-card tracking-tight">Flamekeep</span>
        <a
          href="/docs"
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
      <div className="relative z-10 mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] items-end gap-10 px-6 pt-14 pb-12 sm:pt-20 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]">
        <div>
          <ApiChip />
          <h1 className="font-semibold text-[2.5rem] leading-[1.08] tracking-[-0.03em] sm:text-[3.5rem]">
            Every profile kept. Every flame explained.
          </h1>
          <p className="mt-5 max-w-xl text-[1.0625rem] text-muted leading-7">
            Flamekeep is continuous profiling you host yourself. Your Go services push CPU, memory, goroutine,
            mutex and block profiles; you see which function to fix.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <Link to="/login" className={buttonClass("primary", "lg")}>
              Get Started
              <ArrowRight aria-hidden className="size-4" />
            </Link>
            <Link to="/dashboard" className={buttonClass("secondary", "lg")}>
              View Dashboard
            </Link>
          </div>
        </div>
        <Commands />
      </div>
      <FlameBackdrop className="h-72 w-full sm:h-96" />
    </div>
  );
}

function Features() {
  return (
    <section className="mx-auto max-w-6xl px-6 pt-20">
      <h2 className="font-semibold text-[1.75rem] leading-9 tracking-tight">What it shows you</h2>
      <ul className="mt-8 grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
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

function HowItWorks() {
  return (
    <section className="mx-auto max-w-6xl px-6 pt-20">
      <h2 className="font-semibold text-[1.75rem] leading-9 tracking-tight">How It Works</h2>
      <ol className="mt-8 grid gap-8 sm:grid-cols-2 lg:grid-cols-4">
        {steps.map(({ title, text }, index) => (
          <li key={title} className="border-line-strong border-t pt-4">
            <span className="font-mono text-code text-muted">{index + 1}</span>
            <h3 className="mt-2 font-semibold text-card">{title}</h3>
            <p className="mt-1 text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Projects() {
  return (
    <section className="mx-auto max-w-6xl px-6 py-20">
      <div className="flex flex-wrap items-center justify-between gap-6 rounded-card border border-line bg-surface p-8">
        <div className="max-w-2xl">
          <h2 className="font-semibold text-page tracking-tight">All your services in one place</h2>
          <p className="mt-1.5 text-muted">
            Each service that sends a profile appears by itself, with its profile types, its latest activity
            and every profile it ever sent within your retention.
          </p>
        </div>
        <Link to="/profiles" className={buttonClass("secondary", "lg")}>
          View services
        </Link>
      </div>
    </section>
  );
}

function Footer() {
  return (
    <footer className="border-line border-t">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-2 px-6 py-6 text-muted">
        <span className="flex flex-1 items-center gap-2 whitespace-nowrap">
          <BrandMark className="size-5!" />
          Flamekeep, Apache-2.0
        </span>
        <a href="/docs" target="_blank" rel="noreferrer" className="hover:text-text">
          Read Documentation
        </a>
        <Link to="/register" className="hover:text-text">
          Create an account
        </Link>
      </div>
    </footer>
  );
}
