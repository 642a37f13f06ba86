import { z } from "zod";
import { publicHttpUrl } from "./setting-values.ts";

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
};
