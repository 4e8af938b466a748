import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const script = readFileSync(join(import.meta.dirname, 'signoff.js'), 'utf8')
export const scriptVersion = hash('sha1', script, 'base64url')
