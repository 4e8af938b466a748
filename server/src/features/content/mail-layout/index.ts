export { createLetterComposer, senderNameOf } from './compose.ts'
