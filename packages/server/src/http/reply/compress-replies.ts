import compress from "@fastify/compress";
import type { FastifyInstance } from "fastify";

/** A smaller reply fits into one packet with its headers. */
const bytesMin = 1024;

/** Replies of other types are compressed files, uploads as they were sent, or streams, which must not wait. */
const texts = /^(?:application\/json|text\/(?:html|plain|markdown))(?:;|$)/;

/**
 * Compresses replies by zstd, Brotli or gzip, as far as the client accepts one. Goes before the routes. Only replies to GET: others are short, and
 * have secrets next to texts that somebody else may choose, whose length would say something about the secret.
 */
export async function compressReplies(app: FastifyInstance): Promise<void> {
  app.addHook("onRoute", (route) => {
    if (route.method !== "GET") route.compress = false;
  });
  // The plugin also compresses the types that mime-db calls compressible: application/octet-stream is one, and a gzip file
  // that it passes on unchanged would be labelled with the accepted encoding. This header opts a single reply out.
  app.addHook("onSend", async (request, reply) => {
    const type = reply.getHeader("content-type");
    if (type !== undefined && !texts.test(String(type))) request.headers["x-no-compression"] = "1";
  });
  // Uploads have limits on what they inflate to.
  await app.register(compress, { globalDecompression: false, threshold: bytesMin, customTypes: texts });
}
