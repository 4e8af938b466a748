// What `signoff serve` loads when it starts: packages that few installations need are loaded when they are first used.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const src = join(import.meta.dirname, '../../src')

/** Each takes 3 to 12 MB of memory. */
const later = ['jose', 'smtp-server', 'rate-limiter-flexible', 'openid-client', 'ldapts', 'pdfkit', 'sharp']

const statement = /^(?:import|export)\s+(?!type\b)(?:([^'";]*?)\s+from\s+)?'([^']+)'/gm

/** Static imports of values. */
function importsOf(path: string): string[] {
  const statements = readFileSync(path, 'utf8').matchAll(statement)
  return [...statements].flatMap(([, clause = '', target = '']) => {
    const names = /^\{([^}]*)\}$/
      .exec(clause.trim())?.[1]
      ?.split(',')
      .map(name => name.trim())
    const isTypes = names?.every(name => name === '' || name.startsWith('type '))
    return isTypes ? [] : [target]
  })
}

/** The packages that a file leads to, and through which file. */
function packagesOf(first: string): Map<string, string> {
  const packages = new Map<string, string>()
  const files = [first]
  const seen = new Set(files)
  for (let path = files.pop(); path !== undefined; path = files.pop())
    for (const target of importsOf(path)) {
      const isOwn = target.startsWith('.') || target.startsWith('#')
      if (!isOwn) packages.set(target, path.slice(src.length + 1))
      const file = target.startsWith('#') ? join(src, target.slice(1)) : join(dirname(path), target)
      if (!isOwn || seen.has(file) || !existsSync(file)) continue
      seen.add(file)
      if (file.endsWith('.ts')) files.push(file)
    }
  return packages
}

it('the service loads no package that it can load later', () => {
  const packages = packagesOf(join(src, 'commands/serve/serve.ts'))
  expect(packages.size).toBeGreaterThan(20)
  expect([...packages].filter(([name]) => later.includes(name))).toEqual([])
})
