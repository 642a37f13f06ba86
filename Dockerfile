# docker build --target flamekeep .       the server with the built-in column store
# docker build --target without-engine .  a quarter of the size; needs CLICKHOUSE_URL

FROM node:24.11.0-bookworm-slim AS sources
# Node 26 needs libatomic. A pinned version would be gone after Debian's next update.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
WORKDIR /project
COPY . .
RUN npm run build

# The warm-up as the user of the image saves a third of the CPU time of each start.
FROM sources AS folder
RUN npm run package -- /flamekeep --warm-up=65532

FROM sources AS folder-without-engine
RUN npm run package -- /flamekeep --warm-up=65532 --without-engine

FROM debian:12.12-slim AS base
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/* \
  && install -d -o 65532 -g 65532 -m 700 /data /backup
LABEL org.opencontainers.image.title="Flamekeep" \
  org.opencontainers.image.description="Self-hosted continuous profiling for backend services" \
  org.opencontainers.image.licenses="Apache-2.0"
ENV HOST=0.0.0.0 DATA_DIR=/data
VOLUME /data
EXPOSE 4040 4317
USER 65532:65532
HEALTHCHECK --interval=10s --timeout=6s --start-period=3m CMD ["/flamekeep/bin/flamekeep", "health"]
ENTRYPOINT ["/flamekeep/bin/flamekeep"]
CMD ["start"]

FROM base AS without-engine
COPY --from=folder-without-engine /flamekeep /flamekeep

FROM base AS flamekeep
COPY --from=folder /flamekeep /flamekeep
