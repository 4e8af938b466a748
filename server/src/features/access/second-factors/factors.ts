// Which second factors an account has.
import type { SecondFactor } from '#features/access/access/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { storedPasskeysOf } from './passkeys/queries.ts'
import { findTotp } from './totp/queries.ts'

/** The factors that a sign-in by password or link asks for. */
export async function secondFactorsOf(db: Db, accountId: string): Promise<readonly SecondFactor[]> {
  const totp = await findTotp(db, accountId)
  const passkeys = await storedPasskeysOf(db, accountId)
  return [
    ...(totp?.isConfirmed ? (['totp'] as const) : []),
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
  ]
}
