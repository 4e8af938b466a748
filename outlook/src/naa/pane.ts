import { startPane } from '../pane/start.ts'
import { silentToken } from './token.ts'

startPane(silentToken)
