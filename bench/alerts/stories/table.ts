import { leakRows } from "./leak-rows.ts";
import { quietRows } from "./quiet-rows.ts";
import { regularRows } from "./regular-rows.ts";
import { releaseRows } from "./release-rows.ts";
import type { Row } from "./row.ts";
import { stepRows } from "./step-rows.ts";

export const rows: readonly Row[] = [...quietRows, ...regularRows, ...leakRows, ...releaseRows, ...stepRows];
