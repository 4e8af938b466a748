// Runs after each test file, after its own hooks.
import { afterAll } from 'vitest'
import { removeLeftovers } from './process.ts'

afterAll(removeLeftovers)
