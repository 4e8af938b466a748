// What the task pane knows: the mail, what the service says about its sender, and what it would insert.
import { obtainAnswer, requestData, type TokenSource } from '../launch/answers.ts'
import { disableOwn, isReplyNow, recipientsOfMail, senderOf } from '../launch/events.ts'
import { type KindOfMail, kindOfMail } from '../launch/kinds.ts'
import { type Ask, askWhile, type MailItem, type Trouble, within } from '../launch/outlook.ts'
import { type Placed, placeSignature } from '../launch/place.ts'
import type { AddInExplanation, MailSignature, SignatureAnswer, TroubleCode } from '../wire.ts'

/** The pane stays open; its work ends when Outlook closes it. */
const ask: Ask = askWhile(() => true)

export interface PaneMail {
  /** Null: Outlook shows no mail now. */
  readonly item: MailItem | null
  readonly from: string
  readonly isReply: boolean
  readonly recipients: readonly string[]
}

export interface PaneState {
  readonly mail: PaneMail
  /** Null: the service gave none, for the reason in `trouble`. */
  readonly explanation: AddInExplanation | null
  readonly trouble: TroubleCode | null
  /** Null: the service gave none, and none is stored. */
  readonly answer: SignatureAnswer | null
  readonly kind: KindOfMail
  readonly target: MailSignature | null
}

const troubleOf = (problem: Partial<Trouble> | undefined): TroubleCode => problem?.trouble ?? 'unexpected'

export async function readMail(): Promise<PaneMail> {
  const item = Office.context.mailbox.item as unknown as MailItem | null
  if (!item) {
    const from = Office.context.mailbox.userProfile.emailAddress.toLowerCase()
    return { item, from, isReply: false, recipients: [] }
  }
  const [from, isReply, recipients] = await Promise.all([
    senderOf(ask, item),
    isReplyNow(ask, item),
    recipientsOfMail(ask, item),
  ])
  return { item, from, isReply, recipients }
}

export async function loadState(mail: PaneMail, token: TokenSource): Promise<PaneState> {
  let trouble: TroubleCode | null = null
  const [explanation, answer] = await Promise.all([
    within(10_000, requestData<AddInExplanation>('explain', mail.from, token)).catch(problem => {
      trouble = troubleOf(problem)
      return null
    }),
    obtainAnswer(mail.from, token).then(
      ({ answer }) => answer,
      () => null,
    ),
  ])
  const kind = answer ? kindOfMail(answer, mail) : 'new'
  return { mail, explanation, trouble, answer, kind, target: answer?.[kind] ?? null }
}

/** In the read form there is nothing to insert into. */
export const canInsert = ({ mail: { item }, answer }: PaneState): boolean =>
  answer !== null && typeof item?.body?.setSignatureAsync === 'function'

export type Inserted = Placed | 'failed' | 'long'

export async function insertAgain({ mail, answer, target }: PaneState): Promise<Inserted> {
  const { item, isReply } = mail
  if (!answer || !item) return 'failed'
  if (target) await disableOwn(ask, item)
  const placement = { item, target, answer, isReply, isFresh: false, inserts: true, renews: true }
  return within(10_000, placeSignature(ask, placement)).catch(problem =>
    troubleOf(problem) === 'too_long' ? 'long' : 'failed',
  )
}
