import { startPane } from './start.ts'

startPane(() => Promise.resolve(null))
