import type { AnalysisProps } from "./analysis-panel.tsx";
import { ContentionAnalysis } from "./contention-analysis.tsx";
import { CustomAnalysis } from "./custom-analysis.tsx";
import { GoroutineAnalysis } from "./goroutine-analysis.tsx";

export function Analysis({ profile, onFind }: AnalysisProps) {
  switch (profile.display_type) {
    case "goroutine":
      return <GoroutineAnalysis profile={profile} onFind={onFind} />;
    case "mutex":
    case "block":
      return <ContentionAnalysis profile={profile} type={profile.display_type} onFind={onFind} />;
    default:
      return <CustomAnalysis profile={profile} onFind={onFind} />;
  }
}
