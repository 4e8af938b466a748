import { associateHandlers } from './events.ts'

associateHandlers(() => Promise.resolve(null))
