import type { Static } from 'typebox'
import { type AccountHolder, auditAccount } from '#features/access/access/index.ts'
import { drawSecretQr } from '#features/content/contact-cards/index.ts'
import { apiError, invalid } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { beginChange, checkRemoval, finishChange, firstRecoveryCodes } from '../changes.ts'
import type { SecondFactorDeps } from '../deps.ts'
import type { TotpSetUp } from '../schemas.ts'
import { newTotpSecret, stepOfCode, totpUri } from './codes.ts'
import { confirmTotp, deleteTotp, findTotp, saveUnconfirmedTotp, spendTotpStep } from './queries.ts'

export type NewTotp = Static<typeof TotpSetUp>

/** The QR code of the secret, as a `data:` URL. */
export async function drawTotpQr(uri: string): Promise<string> {
  const picture = await drawSecretQr({ text: uri, size: 220, color: '#000000' })
  return `data:image/png;base64,${picture.toString('base64')}`
}

const exists = () =>
  apiError('second_factor_exists', { message: 'The account has an authenticator app; remove it first.' })

/** The secret counts only after `confirmTotpSetUp`. */
export async function beginTotpSetUp(db: Db, by: AccountHolder, deps: SecondFactorDeps): Promise<NewTotp> {
  const secret = newTotpSecret()
  const sealed = await deps.sealSecret(secret, by.accountId)
  const account = await db.transaction(async tx => {
    const locked = await beginChange(tx, by)
    if (!(await saveUnconfirmedTotp(tx, by.accountId, sealed))) throw exists()
    await auditAccount(tx, by.accountId, {
      action: 'second_factor.begun',
      resourceId: by.accountId,
      sessionId: by.sessionId,
      requestId: by.requestId,
    })
    return locked
  })
  const uri = totpUri(secret, `Signoff (${new URL(deps.publicUrl).host})`, account.email)
  return { secret, uri, qr_code: await drawTotpQr(uri) }
}

const wrongCode = (message: string) => invalid('code', 'invalid', { message })

export const confirmTotpSetUp = (
  db: Db,
  by: AccountHolder,
  code: string,
  deps: SecondFactorDeps,
): Promise<{ readonly codes: readonly string[]; readonly cookie: string }> =>
  db.transaction(async tx => {
    const account = await beginChange(tx, by)
    const totp = await findTotp(tx, by.accountId)
    if (totp?.isConfirmed) throw exists()
    if (!totp) throw wrongCode('begin with POST /v1/me/totp')
    const step = stepOfCode(await deps.openSecret(totp.secret, by.accountId), code, new Date())
    if (step === null || !(await confirmTotp(tx, by.accountId, totp.secret, step)))
      throw wrongCode('code is not the one that the app shows now; check the clock of the device')
    const codes = await firstRecoveryCodes(tx, by.accountId)
    const cookie = await finishChange(tx, account, by, { factor: 'totp', change: 'added' }, deps)
    return { codes, cookie }
  })

/** Returns the Set-Cookie header. */
export const removeTotp = (db: Db, by: AccountHolder, deps: SecondFactorDeps): Promise<string> =>
  db.transaction(async tx => {
    const account = await beginChange(tx, by)
    if (!(await deleteTotp(tx, by.accountId))) throw apiError('not_found')
    await checkRemoval(tx, account, deps)
    return finishChange(tx, account, by, { factor: 'totp', change: 'removed' }, deps)
  })

/** Marks a code as used. False when it is wrong or was used before. */
export async function spendTotpCode(
  tx: Db,
  accountId: string,
  code: string,
  { openSecret }: Pick<SecondFactorDeps, 'openSecret'>,
): Promise<boolean> {
  const totp = await findTotp(tx, accountId)
  if (!totp?.isConfirmed) return false
  const step = stepOfCode(await openSecret(totp.secret, accountId), code, new Date())
  return step !== null && (await spendTotpStep(tx, accountId, step))
}
