export { createMailComposer, senderNameOf } from './compose.ts'
