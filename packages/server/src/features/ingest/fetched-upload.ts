import type { Sender } from "./admission/sender.ts";
import { admitUpload } from "./admit-bodies.ts";
import type { StoredRequest } from "./endpoints/upload-endpoint.ts";
import type { Intake } from "./intake.ts";
import type { Arrival } from "./threads/arrival.ts";

/** The headers of an upload that came without a request. */
export const noHeaders = { contentType: undefined, contentEncoding: undefined };

/** Room for an upload whose bytes the server fetches. */
export interface FetchedRoom {
  /** Throws the failure of a sender if there is no room for more. */
  grow(bytes: number): void;
  /** Stores the upload as one of a sender, and releases the room. */
  take(upload: Pick<Arrival, "format" | "query" | "body">): Promise<StoredRequest>;
  /** A second call does nothing. */
  release(): void;
}

/** Reserves room by the limits of the organization's senders. Throws their failure if there is none. */
export async function admitFetched(intake: Intake, sender: Sender): Promise<FetchedRoom> {
  const { reservation, grow } = await admitUpload(intake, sender);
  return {
    grow(bytes) {
      const refusal = grow(bytes);
      if (refusal !== undefined) throw intake.refuse(refusal);
    },
    take: (upload) => intake.take({ ...sender, ...upload, ...noHeaders, reservation }),
    release: () => reservation.release(),
  };
}
