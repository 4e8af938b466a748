#!/usr/bin/env node
// Plain JavaScript, so that an old Node can read it and say what is wrong in one line.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `Signoff needs Node 24, which \`npm ci\` brings along, but this is Node ${process.versions.node}. ` +
      'Run it through npm (`npm start`, `npx signoff …`); after an install with --ignore-scripts, run `npm ci` again without it.',
  )
  process.exitCode = 1
} else {
  // Keeps the sources without their types, from the second start on: 0.2 s and 30 MB less.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/signoff', import.meta.url)))
  const { main } = await import('../src/main.ts')
  await main(process.argv)
}
