import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowRight, Play } from "lucide-react";
import { configQuery } from "#api/query-client.ts";
import { enterDemo, useIsSignedIn } from "#session/session.ts";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";

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
