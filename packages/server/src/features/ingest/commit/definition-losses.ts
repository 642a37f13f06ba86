import type { BatchItem } from "./batch.ts";

interface Loss {
  readonly generation: number;
  readonly reason: Error;
}

/**
 * Stacks and frames are sent to the store once for each organization and day, with the first upload that has them. When
 * such an upload is not stored and its definitions are not either, a new generation begins for its organization:
 * uploads of the earlier one may refer to lost definitions and are rejected; uploads of the new one bring all they need.
 */
export class DefinitionLosses {
  readonly #losses = new Map<string, Loss>();

  generationOf(orgId: string): number {
    return this.#losses.get(orgId)?.generation ?? 0;
  }

  /** The error if the item's organization lost definitions that the item may refer to. */
  lossAffecting({
    orgId,
    definitionsGeneration,
  }: Pick<BatchItem, "orgId" | "definitionsGeneration">): Error | undefined {
    const loss = this.#losses.get(orgId);
    return loss === undefined || loss.generation === definitionsGeneration ? undefined : loss.reason;
  }

  add(orgId: string, reason: Error): void {
    this.#losses.set(orgId, { generation: this.generationOf(orgId) + 1, reason });
  }
}
