import { z } from "zod";
import { objectUrlForm } from "#store/objects/open-objects.ts";
import { publicHttpUrl, whole } from "./setting-values.ts";

/** How commands and the server reach object storage with the S3 API. */
export const objectStorage = {
  S3_ENDPOINT: publicHttpUrl("https://minio.example.com:9000").meta({
    description: "address of MinIO or another storage with the S3 API",
    shown: "AWS",
  }),
  S3_REGION: z.string().optional().meta({
    description: "region of the bucket",
    shown: "`AWS_REGION`; `us-east-1` with `S3_ENDPOINT`",
  }),
  S3_PATH_STYLE: z.enum(["on", "off"], { error: "must be one of on, off" }).optional().meta({
    description: "whether the bucket is part of the path, or `off`, of the host name",
    shown: "`on` with `S3_ENDPOINT`",
  }),
  S3_ACCESS_KEY_ID: z.string().optional().meta({
    description: "access key",
    shown: "`AWS_ACCESS_KEY_ID`, or the role of the pod or machine",
  }),
  S3_SECRET_ACCESS_KEY: z.string().optional().meta({ description: "its secret" }),
  ORIGINALS_URL: z.string().regex(objectUrlForm, "must be as s3://BUCKET/PREFIX").optional().meta({
    description:
      "`s3://BUCKET/PREFIX`, where [original bytes move](../guide/operate.md#original-bytes-in-object-storage) from the disk of `DATA_DIR`; one data folder for each prefix",
  }),
  ORIGINALS_LOCAL_HOURS: whole(0, 87_600, 24).meta({
    description:
      "hours after the last upload into a file of original bytes until it moves to `ORIGINALS_URL`",
  }),
};
