# The server of `npm start`, for your own machine: docs/self-hosting.md.

FROM node:24.21.0-trixie-slim AS build
WORKDIR /source
COPY . .
# No package needs its install script for this build.
RUN npm ci --ignore-scripts && npm run build

# The service `backup` of compose.yaml. pg_dump must not be older than the server, so it comes with PostgreSQL's image.
FROM postgres:17-trixie AS backup
COPY --from=build /usr/local/bin/node /usr/local/bin/
WORKDIR /app
COPY --from=build /source/dist ./
RUN install --directory --owner=postgres --mode=700 /backups
USER postgres
CMD ["node", "ops/backup/cli.mjs", "--nightly"]

FROM node:24.21.0-trixie-slim
# With an arena for each thread, glibc keeps up to 100 MB more of what decoding photos has freed.
ENV NODE_ENV=production HOST=0.0.0.0 MALLOC_ARENA_MAX=2
WORKDIR /app
# Owned by root: the server cannot change its own files, and runs on a read-only file system.
COPY --from=build /source/dist ./
USER node
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without npm or a shell in between, which would not forward SIGTERM.
CMD ["node", "functions/start.mjs"]
