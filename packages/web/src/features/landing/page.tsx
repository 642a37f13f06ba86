import { usePageTitle } from "#layout/page-title.ts";
import { Hero } from "./hero.tsx";
import { Closing, Features, HowItWorks, Projects } from "./sections.tsx";
import { Story } from "./story.tsx";

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
