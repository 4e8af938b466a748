// Checks, after each test file, whether a cluster could run the statements that the code under test has run. Recorded
// statements are exact: text that is put together from parts could be read from the source only in part.
import { afterAll } from 'vitest'
import { clusterProblems, loadParser } from './cluster-sql/index.ts'
import { takeStatements } from './recorded-statements.ts'

afterAll(async () => {
  const statements = takeStatements()
  if (statements.length === 0) return
  await loadParser()
  const problems = statements.flatMap(({ text, file }) => {
    const found = clusterProblems(text)
    return found.length === 0
      ? []
      : [`${file} runs a statement that a cluster cannot run:\n${text}\n- ${found.join('\n- ')}`]
  })
  if (problems.length > 0) throw new Error(problems.join('\n\n'))
})
