export { countPendingRequests, listRequests } from './publication-requests/queries.ts'
export { publishOrRequest, rejectRequest } from './publication-requests/rules.ts'
export { publishSignature } from './publish.ts'
export {
  findSignature,
  hasSignature,
  hasSignatureNamed,
  lockSignature,
  signatureIdsByName,
  signaturePriorities,
  touchSignature,
} from './queries.ts'
export { type SignatureHooks, signatureRoutes } from './routes.ts'
export { changeSignature, createSignature, type OnSignatureChange } from './rules.ts'
export type { Signature } from './schemas.ts'
export { findVariants, type StoredVariant } from './variants/queries.ts'
export { changeVariant, publishVariant } from './variants/rules.ts'
export type { VariantKind } from './variants/schemas.ts'
