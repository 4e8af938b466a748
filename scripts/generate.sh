#!/bin/sh
# `npm run generate`: openapi.json, the list of tables and the types and methods of the SDK, from the code.
set -e
cd "$(dirname "$0")/.."

signoff openapi --write openapi.json
node server/generate/write-tables.ts
node sdk/generate/write.ts
