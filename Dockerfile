FROM node:24-bookworm-slim
# For pictures of signatures: scripts that the fonts from npm lack.
RUN apt-get update \
  && apt-get install -y --no-install-recommends fonts-noto-core \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY render/package.json render/
COPY sdk/package.json sdk/
COPY mcp/package.json mcp/
COPY web/package.json web/
COPY outlook/package.json outlook/
COPY server/package.json server/
COPY server/bin server/bin
RUN npm ci --omit=dev
COPY . .
RUN mkdir -p /data node_modules/.cache && chown node:node /data node_modules/.cache
USER node
# Fills the compile cache of this user, and builds the dashboard and the add-in: faster starts, less memory.
RUN node server/bin/signoff.js routes > /dev/null && node server/bin/signoff.js web
ENV HOST=0.0.0.0 SIGNOFF_DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=30s CMD ["node", "-e", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = 0; fetch(`http${process.env.SIGNOFF_TLS_CERT ? 's' : ''}://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/bin/signoff.js", "serve"]
