// Writes docs/internals/tables.md: part of `npm run generate`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tablesDocument } from './tables.ts'

writeFileSync(join(import.meta.dirname, '../../docs/internals/tables.md'), tablesDocument())
