import { leakRows } from "./leak-rows.ts";
import { quietRows } from "./quiet-rows.ts";
import { releaseRows } from "./release-rows.ts";
import type { Row } from "./row.ts";
import { stepRows } from "./step-rows.ts";

export const rows: readonly Row[] = [...quietRows, ...leakRows, ...releaseRows, ...stepRows];
