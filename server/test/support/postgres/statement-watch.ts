// Checks, after each test file, whether a cluster could run the statements that the code under test has run. Recorded
// statements are exact: text that is put together from parts could be read from the source only in part.
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { clusterProblems, loadParser } from './cluster-sql.ts'
import { takeStatements } from './recorded-statements.ts'

afterAll(async () => {
  // Most statements run in every worker. An empty file per checked statement tells the other workers.
  const folder = join(inject('folder'), 'checked-statements')
  const fileOf = (text: string) => join(folder, hash('sha256', text))
  const statements = takeStatements().filter(({ text }) => !existsSync(fileOf(text)))
  if (statements.length === 0) return
  await loadParser()
  mkdirSync(folder, { recursive: true })
  const problems = statements.flatMap(({ text, file }) => {
    const reasons = clusterProblems(text)
    if (reasons.length > 0)
      return [`${file} runs a statement that a cluster cannot run:\n${text}\n- ${reasons.join('\n- ')}`]
    writeFileSync(fileOf(text), '')
    return []
  })
  if (problems.length > 0) throw new Error(problems.join('\n\n'))
})
