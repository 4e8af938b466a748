FROM node:24-bookworm-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
RUN npm ci --omit=dev
COPY . .
# Fills the compile cache, which the user below may read but not write.
RUN node server/bin/signoff.js routes > /dev/null && mkdir /data && chown node:node /data
USER node
ENV HOST=0.0.0.0 SIGNOFF_DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/bin/signoff.js", "serve"]
