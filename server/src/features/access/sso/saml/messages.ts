// What the verifier and its thread send each other.
import type { RefusalCode } from '../refusal.ts'
import type { VerifiedAssertion } from './assertion.ts'
import type { SamlAnswer } from './protocol.ts'

export interface ToVerifier {
  readonly id: number
  readonly answer: SamlAnswer
}

export type FromVerifier =
  | { readonly id: number; readonly verified: VerifiedAssertion }
  | { readonly id: number; readonly code: RefusalCode; readonly problem: string }
