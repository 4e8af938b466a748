// The public face of @signoff/sdk.
export { Signoff } from './client.ts'
export * from './errors.ts'
export * from './generated/errors.ts'
export type * from './generated/schemas.ts'
export type * from './types.ts'
export * from './webhook.ts'
