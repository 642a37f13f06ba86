import { StoreRefused, StoreUnavailable } from "#store/unavailable.ts";

interface Place {
  readonly bucket: string;
  readonly endpoint: string | undefined;
  readonly url: string;
}

/** An error of the client library. */
interface S3Error {
  readonly name: string;
  readonly message: string;
  /** A system error of the connection. */
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

/** The message for each error of S3 that an operator corrects: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const refusals: readonly {
  readonly names: RegExp;
  /** A reply to HEAD has no name. */
  readonly status?: number;
  readonly words: (storage: string, place: Place, action: string, error: S3Error) => string;
}[] = [
  {
    names: /^(InvalidAccessKeyId|SignatureDoesNotMatch|InvalidToken|InvalidClientTokenId)$/,
    words: (storage, _place, _action, { name }) =>
      `${storage} does not accept the access key (${name}): correct S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or the variables AWS_*.`,
  },
  {
    names: /^(ExpiredToken|ExpiredTokenException|TokenRefreshRequired)$/,
    words: (storage) =>
      `The credentials for ${storage} have expired: renew AWS_SESSION_TOKEN, or use a key or role that does not expire.`,
  },
  {
    names: /^(CredentialsProviderError|TokenProviderError)$/,
    words: (storage) =>
      `There are no credentials for ${storage}: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give the pod or machine a role.`,
  },
  {
    names: /^NoSuchBucket$/,
    words: (storage, { bucket }) =>
      `${storage} has no bucket ${bucket}: create it, or correct its name and S3_ENDPOINT.`,
  },
  {
    names: /^(AccessDenied|AllAccessDisabled)$/,
    status: 403,
    words: (storage, { url }, action) =>
      `${storage} denies ${action} on ${url}: allow it for this access key or role (docs/backups.md has a policy).`,
  },
  {
    names: /^(RequestTimeTooSkewed|RequestExpired)$/,
    words: (storage) =>
      `The clock of this machine and that of ${storage} differ by more than 15 minutes: correct the clock.`,
  },
  {
    names: /^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/,
    status: 301,
    words: (_storage, { bucket }, _action, { $response }) => {
      const region = $response?.headers?.["x-amz-bucket-region"];
      return region === undefined
        ? `The bucket ${bucket} is in another region: set S3_REGION to its region.`
        : `The bucket ${bucket} is in the region ${region}: set S3_REGION=${region}.`;
    },
  },
];

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ERR_TLS/;
/** Not all system errors: a file that is sent may have others. */
const networkCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|EPROTO|HPE_\w+)$/;

/** The same call may work later: the connection broke, or the storage has a fault or is asked too often. */
export function isTransient(error: unknown): boolean {
  const { code = "", name, $metadata } = error as S3Error;
  const status = $metadata?.httpStatusCode ?? 0;
  return networkCodes.test(code) || name === "TimeoutError" || status >= 500 || status === 429;
}

export function isMissing(error: unknown): boolean {
  return /^(NoSuchKey|NotFound)$/.test((error as S3Error).name);
}

/** @param action as in a policy, such as `s3:PutObject` */
export function objectFailure(place: Place, action: string, cause: unknown): Error {
  if (!(cause instanceof Error)) return new Error(String(cause));
  const error: S3Error = cause;
  const storage = place.endpoint ?? "AWS S3";
  const status = error.$metadata?.httpStatusCode;
  const refusal =
    refusals.find(({ names }) => names.test(error.name)) ??
    refusals.find((each) => each.status !== undefined && each.status === status);
  const words = refusal?.words(storage, place, action, error);
  if (words !== undefined) return new StoreRefused(words, { cause });
  if (/region is missing/i.test(error.message))
    return new StoreRefused(
      `The region of the bucket ${place.bucket} is not set: set S3_REGION, or S3_ENDPOINT for a storage outside of AWS.`,
      { cause },
    );
  const { code = "" } = error;
  if (certificateCodes.test(code))
    return new StoreRefused(
      `The certificate of ${storage} is not trusted (${code}): set NODE_EXTRA_CA_CERTS to the file of its authority.`,
      { cause },
    );
  if (!isTransient(error)) return cause;
  return new StoreUnavailable(
    status === undefined
      ? `${storage} cannot be reached (${code || error.name}): check S3_ENDPOINT and the network.`
      : `${storage} failed at ${action} with ${status} ${error.name}, repeatedly: try later.`,
    { cause },
  );
}
