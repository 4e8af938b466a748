// The message part of the relay: finds the place of the signature in a message, and puts it there. Bytes in, bytes out.

export { inspectMessage } from './inspect.ts'
export type {
  InspectionOptions,
  LeaveReason,
  MessageInspection,
  StampPlan,
  StampSignature,
} from './inspection.ts'
export { leaveReasons } from './inspection.ts'
export { headerAddresses } from './reading/addresses.ts'
export { hasLettersOf } from './signed-letters.ts'
export { processedHeader, stampMessage } from './writing/stamp.ts'
