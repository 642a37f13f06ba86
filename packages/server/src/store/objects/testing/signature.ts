import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const authorizationForm =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
const skewMsMax = 15 * 60_000;

/**
 * The code of the error with which S3 refuses a request, undefined for a request that the keys have signed. Written after the description
 * of Signature Version 4, and not with the client's library: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signatureFault(
  request: IncomingMessage,
  body: Buffer,
  { accessKeyId, secretAccessKey }: Keys,
  nowMs: number,
): string | undefined {
  const { headers, method = "", url = "" } = request;
  const form = authorizationForm.exec(headers.authorization ?? "");
  if (form === null) return "AccessDenied";
  const [, keyId, day = "", region = "", signedHeaders = "", signature = ""] = form;
  if (keyId !== accessKeyId) return "InvalidAccessKeyId";
  const time = String(headers["x-amz-date"]);
  const [, year, month, date, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? [];
  const signedMs = Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`);
  if (!(Math.abs(nowMs - signedMs) <= skewMsMax)) return "RequestTimeTooSkewed";
  if (!signedHeaders.split(";").includes("host")) return "AccessDenied";

  const payload = String(headers["x-amz-content-sha256"]);
  if (payload !== "UNSIGNED-PAYLOAD" && payload !== sha256(body)) return "XAmzContentSHA256Mismatch";
  const [path = "", query = ""] = url.split("?");
  const canonical = [
    method,
    path,
    query.split("&").map(withEquals).sort().join("&"),
    ...signedHeaders.split(";").map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, " ")}`),
    "",
    signedHeaders,
    payload,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, "s3", "aws4_request"].reduce(
    (secret: Buffer, part) => createHmac("sha256", secret).update(part).digest(),
    Buffer.from(`AWS4${secretAccessKey}`),
  );
  const text = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const expected = createHmac("sha256", key).update(text).digest();
  return timingSafeEqual(expected, Buffer.from(signature, "hex")) ? undefined : "SignatureDoesNotMatch";
}

const withEquals = (pair: string) => (pair === "" || pair.includes("=") ? pair : `${pair}=`);

export const sha256 = (content: Buffer | string) => createHash("sha256").update(content).digest("hex");
