// Runs after each test file, after its own hooks.
import { afterAll } from 'vitest'
import { endFile } from './after-file.ts'
import { removeLeftovers } from './processes/process.ts'

afterAll(async () => {
  await endFile()
  await removeLeftovers()
})
