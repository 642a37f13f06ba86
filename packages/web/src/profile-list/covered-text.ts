import type { ReplyOf, sharedFunctions } from "@flamekeep/contract";
import { exactCount, percentText, plural } from "#format/number.ts";

type Counted = Pick<ReplyOf<typeof sharedFunctions>, "covered" | "services_total" | "services_counted">;

/** Follows a number of listed functions: `, from the largest stacks: 87.3% of all CPU`. Empty if the stacks of all services are counted. */
export function coveredText(
  { covered, services_total: all, services_counted: counted }: Counted,
  name: string,
): string {
  if (covered >= 0.995) return "";
  const source =
    counted < all
      ? `in the ${exactCount(counted)} of ${plural(all, "service")} with the most ${name}`
      : "from the largest stacks";
  return `, ${source}: ${percentText(covered * 100)} of all ${name}`;
}
