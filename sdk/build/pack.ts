// `node build/pack.ts dist` makes the package that npm packs; `node build/pack.ts src` leads imports to the source again,
// which works in this repository without a build.
import { copyFileSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './bundle.ts'

const folder = join(import.meta.dirname, '..')
const manifest = join(folder, 'package.json')
const faces = {
  src: './src/index.ts',
  dist: { types: './dist/types/index.d.ts', default: './dist/index.js' },
}

const face = process.argv[2] as keyof typeof faces
if (!faces[face]) throw new Error('Say `dist` or `src`.')
if (face === 'dist') {
  writeFileSync(join(folder, 'dist/index.js'), await bundle())
  // TypeScript before 7 does not look for a declaration behind `.ts`.
  for (const file of globSync(join(folder, 'dist/types/**/*.d.ts')))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
  const license = join(folder, '../LICENSE')
  if (existsSync(license)) copyFileSync(license, join(folder, 'dist/LICENSE'))
}
const text = JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), exports: faces[face] }, null, 2)
writeFileSync(manifest, `${text}\n`)
