/** How to reach object storage with the S3 API: AWS, MinIO and others. */
export interface ObjectStorageConfig {
  /** Undefined for AWS. */
  readonly endpoint: string | undefined;
  /** Undefined: as AWS's programs find it. */
  readonly region: string | undefined;
  /** Whether the bucket is part of the path, or of the host name. */
  readonly isPathStyle: boolean;
  /** Undefined: as AWS's programs find them, in the environment or as the role of a pod or machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

/** Where a set of objects is: all its keys begin with the prefix. */
export interface ObjectLocation {
  readonly bucket: string;
  /** Empty, or with a slash at the end. */
  readonly prefix: string;
}

export interface ObjectFacts {
  readonly key: string;
  readonly bytes: number;
  /** By the clock of the storage. */
  readonly changedMs: number;
}

/** More bytes than memory should hold. */
export interface StreamedContent {
  readonly bytes: number;
  /** Nothing is stored if this throws. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface ByteRange {
  readonly from: number;
  readonly bytes: number;
}

/**
 * Objects below one location; keys are relative to it. Brief faults are retried. Throws StoreRefused for faults that an operator must
 * correct, StoreUnavailable for others.
 */
export interface ObjectStore extends Disposable {
  /** `s3://bucket/prefix`, without a slash at the end. */
  readonly url: string;
  /** Stores the whole object or nothing, and replaces an earlier one. The storage compares the SHA-256 of what it received. */
  put(key: string, content: Uint8Array | StreamedContent): Promise<void>;
  /** Resumes where a connection breaks. Read it to the end or break off. Undefined if there is no such object. */
  get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Undefined if there is no such object. */
  head(key: string): Promise<ObjectFacts | undefined>;
  /** Sorted by key. Asks for further pages as they are needed. */
  list(prefix: string): AsyncIterable<ObjectFacts>;
  /** Also succeeds if there is no such object. */
  remove(key: string): Promise<void>;
  /** Removes the parts of streamed objects that a killed process has left. */
  removeUnfinished(): Promise<void>;
}
