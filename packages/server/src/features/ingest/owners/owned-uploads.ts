import { setTimeout as sleep } from "node:timers/promises";
import { deserialize, serialize } from "node:v8";
import type { Cluster } from "#cluster/cluster.ts";
import type { Member } from "#cluster/heartbeats.ts";
import type { CallKind } from "#cluster/member-calls.ts";
import { type Message, NotOwner, Unreached } from "#cluster/message.ts";
import type { OwnedScope } from "#cluster/owner.ts";
import type { Log } from "#context";
import { Failure, unavailable } from "#failure";
import type { Sender } from "#ingest/admission/sender.ts";
import type { Committer } from "#ingest/commit/committer.ts";
import type { EncodeScope } from "#ingest/encode/encode-profile.ts";
import type { StoredRequest, StoredUpload } from "#ingest/endpoints/upload-endpoint.ts";
import type { Encoded } from "#ingest/rows/encoded.ts";
import type { Arrival } from "#ingest/threads/arrival.ts";
import type { HistogramPoint } from "#ingest/upload/histogram.ts";
import type { RecordedUpload } from "#ingest/upload/recorded-upload.ts";
import { free } from "#memory/free.ts";
import type { ReadScope } from "#store/column/read-cache/changes.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { forEachOwner } from "./for-each-owner.ts";
import {
  type SentPoints,
  type SentRequest,
  type SentUpload,
  type StoredThere,
  servicesNamed,
  storedThere,
  toStoredRequest,
  toWire,
  type UploadToTake,
} from "./messages.ts";
import { NoOwner, unlessStopped } from "./no-owner.ts";

/** How long an upload waits for an owner: longer than a member that ended without a word counts as alive. */
const lookMsMax = 14_000;
const lookAgainMs = 100;
/** Well within the time for which members agree to count a new one. */
const handOverMsMax = 5_000;

/** How this member stores uploads itself. */
interface Here {
  /** Stores a request; its uploads go to their owners. */
  readonly take: (arrival: Arrival) => Promise<StoredRequest>;
  /** Stores an upload of another member, or of the log of one. */
  readonly takeUpload: (upload: UploadToTake) => Promise<StoredUpload>;
  /** Compares reports of histograms, and stores what they add. */
  readonly takePoints: (
    points: readonly HistogramPoint[],
    scope: EncodeScope,
    sender: Sender & Pick<Arrival, "reservation">,
  ) => Promise<StoredRequest>;
  /** Room for an upload that another member has admitted; throws if there is none. */
  readonly admit: (orgId: string, bytes: number) => Promise<Arrival["reservation"]>;
  readonly forget: () => void;
  readonly log: Pick<Log, "warn">;
  readonly committer: Pick<Committer, "settle" | "written" | "runBetweenRows" | "isOccupied">;
}

/** Brings each upload to the member that owns its service, where it is compared with those before it. */
export class OwnedUploads {
  readonly cluster: Cluster;
  readonly #here: Here;
  /** Operations that this member runs as owner. */
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(cluster: Cluster, here: Here) {
    this.cluster = cluster;
    this.#here = here;
    this.#answerUpload("request", async ({ head, bytes: body }, reservation) => {
      const { sender, ...sent } = head as SentRequest;
      return toWire(await here.take({ ...sent, ...sender, body, reservation }));
    });
    this.#answerUpload("upload", async ({ head, bytes: body }, reservation) => {
      const sent = head as SentUpload;
      cluster.requireOwned({ orgId: sent.sender.orgId, service: sent.recorded.service });
      return storedThere(await this.#asOwner(() => here.takeUpload({ ...sent, body, reservation })));
    });
    this.#answerUpload("points", async ({ head, bytes }, reservation) => {
      const sender = head as Sender;
      const { points, scope } = deserialize(bytes) as SentPoints;
      for (const { service } of points) cluster.requireOwned({ orgId: sender.orgId, service });
      const operation = () => here.takePoints(points, scope, { ...sender, reservation });
      return toWire(await this.#asOwner(operation));
    });
    cluster.answer(
      "settle",
      async ({ head }) => void (await here.committer.settle((head as ReadScope | null) ?? undefined)),
    );
  }

  /** Room for a body is reserved before it is read. */
  #answerUpload(
    name: string,
    operation: (message: Required<Message>, reservation: Arrival["reservation"]) => Promise<unknown>,
  ): void {
    this.cluster.answerUnread(name, async ({ orgId, length, read }) => {
      const reservation = await this.#here.admit(orgId, length);
      try {
        return { head: await operation(await read(), reservation) };
      } finally {
        reservation.release();
      }
    });
  }

  join(): Promise<void> {
    const { forget, committer } = this.#here;
    const isOccupied = () => committer.isOccupied;
    return this.cluster.join({ forget, handOver: () => this.#handOver(), isOccupied });
  }

  /** A request whose services have one owner goes there as it is, so that it is decoded once. */
  async take(arrival: Arrival): Promise<StoredRequest> {
    const { orgId } = arrival;
    const services = await servicesNamed(arrival);
    const owners = services.map((service) => this.cluster.ownerOf({ orgId, service }));
    const [owner] = owners;
    const hasOneOwner = owners.every(({ id }) => id === owner?.id);
    if (owner === undefined || !hasOneOwner || owner.id === this.cluster.self.id)
      return this.#here.take(arrival);
    const { body: bytes, reservation: _, ...sent } = arrival;
    const { format, query, contentType, contentEncoding, ...sender } = sent;
    const head: SentRequest = { format, query, contentType, contentEncoding, sender };
    try {
      const reply = await this.#call(owner, "request", { head, bytes }, { orgId });
      // The owner has read all of it.
      free(bytes);
      return toStoredRequest(reply);
    } catch (error) {
      // The owner of each upload is looked for below.
      if (error instanceof Unreached || error instanceof NotOwner) return this.#here.take(arrival);
      throw error;
    }
  }

  /** Stores an upload here if this member owns its service, else at its owner. */
  async store(
    sender: Sender,
    encoded: Encoded,
    { here, abandon }: { readonly here: () => Promise<StoredUpload>; readonly abandon: () => void },
  ): Promise<StoredUpload> {
    const { recorded, payload, notice, untimedKey } = encoded;
    const noted = notice === undefined ? {} : { notice };
    const outcome = await this.#atOwner<
      { readonly here: Promise<StoredUpload> } | { readonly there: StoredThere }
    >(
      { orgId: encoded.orgId, service: recorded.service },
      {
        // Takes the definitions, whatever becomes of the upload.
        here: async () => {
          const stored = here();
          await stored.catch((error: unknown) => {
            if (error instanceof NotOwner) throw error;
          });
          return { here: stored };
        },
        there: async (owner) => ({
          there: (await this.#call(
            owner,
            "upload",
            {
              head: { sender, recorded, ...noted, untimedKey } satisfies SentUpload,
              bytes: payload,
            },
            { orgId: encoded.orgId },
          )) as StoredThere,
        }),
      },
    ).catch((error: unknown) => {
      abandon();
      throw error;
    });
    if ("here" in outcome) return outcome.here;
    // The rows of the profile are made there. Later uploads may refer to its definitions.
    abandon();
    free(payload);
    const { isDuplicate, notice: said, ...identified } = outcome.there;
    return {
      encoded: { ...encoded, ...identified },
      isDuplicate,
      ...(said !== undefined && { notice: said }),
    };
  }

  /** Brings points of histograms to the members that own their services. */
  async storePoints(
    points: readonly HistogramPoint[],
    { scope, sender }: Pick<SentPoints, "scope"> & { readonly sender: Sender },
    here: (points: readonly HistogramPoint[]) => Promise<StoredRequest>,
  ): Promise<readonly StoredRequest[]> {
    const { orgId } = sender;
    const ownerOf = ({ service }: HistogramPoint) => this.cluster.ownerOf({ orgId, service }).id;
    return forEachOwner(points, ownerOf, (some, requireOneOwner) =>
      this.#atOwner(
        { orgId, service: some[0].service },
        {
          here: async () => {
            requireOneOwner();
            return here(some);
          },
          there: async (owner) => {
            requireOneOwner();
            const bytes = serialize({ points: some, scope } satisfies SentPoints);
            return toStoredRequest(await this.#call(owner, "points", { head: sender, bytes }, { orgId }));
          },
        },
      ),
    );
  }

  /** Stores an upload that is in the log at its owner. Returns what `here` does, and undefined if it is stored elsewhere. */
  repeat<T>(
    upload: {
      readonly orgId: string;
      readonly recorded: RecordedUpload;
      readonly bytes: () => Promise<Uint8Array>;
    },
    here: () => Promise<T>,
    stopped: AbortSignal,
  ): Promise<T | undefined> {
    const { orgId, recorded } = upload;
    const sender = { orgId, orgRetentionDays: null, ownLimits: undefined };
    return this.#atOwner<T | undefined>(
      { orgId, service: recorded.service },
      {
        here: async () => {
          // Rows that are made while the lease ends would be thrown away, and made again at once.
          if (!this.cluster.isCurrent(this.cluster.term)) throw new NotOwner();
          return here();
        },
        there: async (owner) => {
          const head: SentUpload = { sender, recorded, isRepeat: true };
          const message = { head, bytes: await upload.bytes() };
          await unlessStopped(this.#call(owner, "upload", message, { orgId }), stopped);
          return undefined;
        },
      },
      stopped,
    );
  }

  /** Runs an operation on a service where its uploads are stored, however long it takes there. */
  atOwner<I extends OwnedScope, R>(
    name: string,
    operation: (input: I) => Promise<R>,
  ): (input: I) => Promise<R> {
    this.cluster.answer(name, async ({ head }) => {
      this.cluster.requireOwned(head as I);
      return { head: await operation(head as I) };
    });
    return (input) =>
      this.#atOwner(input, {
        here: () => operation(input),
        there: async (owner) =>
          (await this.#call(owner, name, { head: input }, { msMax: Number.POSITIVE_INFINITY })) as R,
      });
  }

  /** Resolves once other members have stored their acknowledged rows of the scope. */
  async settleOthers(scope: ReadScope | undefined): Promise<void> {
    const { cluster } = this;
    if (cluster.others.length === 0) return;
    await Promise.all(
      cluster.others.map((to) => cluster.calls.callWhilePresent(to, "settle", { head: scope })),
    );
  }

  /** Looks for the owner again where the members have changed meanwhile. */
  async #atOwner<T>(
    scope: OwnedScope,
    { here, there }: { readonly here: () => Promise<T>; readonly there: (owner: Member) => Promise<T> },
    stopped?: AbortSignal,
  ): Promise<T> {
    const { cluster } = this;
    for (const untilMs = performance.now() + lookMsMax; ; ) {
      if (stopped?.aborted) throw new NoOwner();
      const owner = cluster.ownerOf(scope);
      try {
        if (owner.id !== cluster.self.id) return await there(owner);
        if (cluster.isOwner) return await this.#asOwner(here);
      } catch (error) {
        if (!(error instanceof NotOwner) && !(error instanceof Unreached)) throw error;
      }
      if (performance.now() >= untilMs) throw new NoOwner();
      await cluster.change(lookAgainMs);
    }
  }

  #asOwner<T>(operation: () => Promise<T>): Promise<T> {
    const running = operation();
    const ended: Promise<void> = running
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => this.#underWay.delete(ended));
    this.#underWay.add(ended);
    return running;
  }

  /** A call that broke off may have arrived: whether it was stored is known once the upload is sent again. */
  async #call(to: Member, name: string, message: Message, kind: CallKind): Promise<unknown> {
    try {
      return (await this.cluster.calls.call(to, name, message, kind)).head;
    } catch (error) {
      const isKnown = [Failure, NotOwner, StoreUnavailable].some((each) => error instanceof each);
      if (isKnown || (error instanceof Unreached && !error.mayHaveArrived)) throw error;
      throw unavailable(
        "Another server of this installation did not answer. Send it again in a moment.",
        error,
        5,
      );
    }
  }

  async #handOver(): Promise<void> {
    const { committer, forget } = this.#here;
    forget();
    const ended = Promise.all(this.#underWay).then(() => committer.written(undefined));
    const late = sleep(handOverMsMax, false, { ref: false });
    const isStored = await Promise.race([ended.then(() => true), late]).catch((error: unknown) => {
      this.#here.log.warn(
        { err: error },
        "rows were not stored before other servers took over: they take them from the log",
      );
      return false;
    });
    if (!isStored) this.cluster.renewTerm();
    // No insert of the term before is under way then.
    await committer.runBetweenRows(async () => undefined);
    forget();
  }
}
