import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { ProfileId, ProfileParams } from "./profiles.ts";
import { Instant } from "./time.ts";

const Neighbour = z
  .object({ profile_id: ProfileId, timestamp: Instant.meta({ description: "Start of the profile." }) })
  .nullable()
  .meta({ description: "null if there is none within 30 days." });

export const ProfileNeighbours = z
  .object({ previous: Neighbour, next: Neighbour })
  .meta({ id: "ProfileNeighbours" });
export type ProfileNeighbours = z.output<typeof ProfileNeighbours>;

export const profileNeighbours = endpoint({
  method: "GET",
  path: "/api/v1/protected/profile/{id}/neighbours",
  area: "Profiles",
  summary: "The profiles of the same service and display type before and after one",
  auth: "session",
  params: ProfileParams,
  reply: ProfileNeighbours,
  failures: ["not_found"],
});
