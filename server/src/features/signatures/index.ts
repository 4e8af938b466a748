export { publishSignature } from './publishing.ts'
export {
  findSignature,
  hasSignature,
  hasSignatureNamed,
  lockSignature,
  type Signature,
  touchSignature,
} from './queries.ts'
export { type SignatureSettings, signatureRoutes } from './routes.ts'
export { type Changed, createSignature } from './rules.ts'
export { type TestMail, testMailJob } from './test-mails/jobs.ts'
export { changeVariant, publishVariant } from './variants/rules.ts'
export type { Kind as VariantKind } from './variants/schemas.ts'
