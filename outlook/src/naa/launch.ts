import { associateHandlers } from '../launch/events.ts'
import { silentToken } from './token.ts'

associateHandlers(silentToken)
