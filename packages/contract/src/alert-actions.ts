import { z } from "zod";
import { Alert } from "./alerts.ts";
import { endpoint } from "./endpoint.ts";

const area = "Alerts";
const path = "/api/v1/protected/alerts/{id}";
const params = z.object({ id: z.string().meta({ example: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845" }) });
const reply = z.object({ alert: Alert });

export const acknowledgeAlert = endpoint({
  method: "POST",
  path: `${path}/acknowledge`,
  area,
  summary: "Say that you work on an alert, or take it back",
  description: "Others see who does, and since when. The alert stays open.",
  auth: "session",
  params,
  body: z.object({ is_acknowledged: z.boolean().default(true).meta({ example: true }) }),
  reply,
  failures: ["not_found", "unprocessable"],
});

export const expectAlert = endpoint({
  method: "POST",
  path: `${path}/expect`,
  area,
  summary: "Mark an open alert as expected, or take it back",
  description:
    "It resolves, and its new level is what the series is compared with from now on. An alert about some instances of a " +
    "service accepts theirs. Taken back, the alert stays resolved, and the series is compared as if " +
    "nobody had marked it.",
  auth: "session",
  params,
  body: z.object({ is_expected: z.boolean().default(true).meta({ example: true }) }),
  reply,
  failures: ["not_found", "unprocessable"],
});
