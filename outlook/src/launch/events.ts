// The handlers of Outlook's events. Any failure leaves the mail as it is; `completed` is called once, after all work.
import type { SignatureAnswer, TroubleCode } from '../wire.ts'
import { loadAnswer, type Obtained, obtainAnswer, reportTrouble, type TokenSource } from './answers.ts'
import { kindOfMail, signaturesOf } from './kinds.ts'
import { type Ask, askWhile, type MailItem, type Trouble, within } from './outlook.ts'
import { placeSignature, recallSha } from './place.ts'

type Occasion = 'composed' | 'from' | 'recipients'

/** Outlook ends handlers after 60 s on phones and 300 s elsewhere. */
const longestWork = 25_000

/** The address that the mail is sent from; a shared mailbox is an address of its own. */
export const senderOf = (ask: Ask, item: MailItem): Promise<string> =>
  ask<Office.EmailAddressDetails>(done => item.from.getAsync(done))
    .then(({ emailAddress }) => emailAddress)
    .catch(() => Office.context.mailbox.userProfile.emailAddress)
    .then(address => address.toLowerCase())

/** Outlook before 1.10 does not tell: a new mail. */
export const isReplyNow = (ask: Ask, item: MailItem): Promise<boolean> =>
  ask<{ composeType: string }>(done => item.getComposeTypeAsync(done))
    .then(({ composeType }) => composeType !== 'newMail')
    .catch(() => false)

/** The recipients of To, Cc and Bcc. A list that cannot be read has a recipient outside: the mail is not internal. */
export const recipientsOfMail = (ask: Ask, item: MailItem): Promise<string[]> =>
  Promise.all(
    [item.to, item.cc, item.bcc].map(list =>
      list
        ? ask<Office.EmailAddressDetails[]>(done => list.getAsync(done))
            .then(people => people.map(({ emailAddress }) => emailAddress || ''))
            .catch(() => [''])
        : [],
    ),
  ).then(lists => lists.reduce<string[]>((all, list) => all.concat(list), []))

/** A changed recipient needs no request: the stored answer has all kinds. */
const answerFor = (occasion: Occasion, from: string, token: TokenSource): Promise<Obtained> =>
  (occasion === 'recipients' ? loadAnswer(from) : Promise.resolve(null)).then(stored =>
    stored ? { answer: stored, refreshed: Promise.resolve() } : obtainAnswer(from, token),
  )

/** The own signature of the account would stand beside ours. Lasting: Outlook sets it to "(none)". */
export const disableOwn = (ask: Ask, item: MailItem): Promise<unknown> =>
  ask(done => item.disableClientSignatureAsync(done)).catch(() => null)

function apply(
  ask: Ask,
  item: MailItem,
  occasion: Occasion,
  sha: string,
  answer: SignatureAnswer,
): Promise<unknown> {
  return Promise.all([isReplyNow(ask, item), recipientsOfMail(ask, item)]).then(([isReply, recipients]) => {
    const target = answer[kindOfMail(answer, { isReply, recipients })]
    if (target ? target.sha === sha : occasion !== 'from') return
    const isRecipients = occasion === 'recipients'
    // Outlook without session data cannot tell afterwards whether the user or the add-in took the signature away.
    if (isRecipients && !sha && !target?.html) return
    const wasHidden = signaturesOf(answer).some(signature => signature.sha === sha && !signature.html)
    const isFresh = occasion === 'composed'
    const inserts = !isRecipients || wasHidden
    return (target && !isRecipients ? disableOwn(ask, item) : Promise.resolve()).then(() =>
      placeSignature(ask, { item, target, answer, isReply, isFresh, inserts }),
    )
  })
}

function report(problem: Partial<Trouble> | undefined, from: string, token: TokenSource): Promise<unknown> {
  const code: TroubleCode = problem?.trouble ?? 'unexpected'
  const { hostName, hostVersion } = Office.context.mailbox.diagnostics
  const platform = `${Office.context.platform || ''} ${hostVersion}`.trim()
  return reportTrouble({ code, host: hostName, platform, from: from || undefined }, token)
}

/** Handlers run one after the other: Outlook can raise two events at once, and two handlers would add two signatures. */
let last: Promise<unknown> = Promise.resolve()

export function handlerOf(occasion: Occasion, token: TokenSource): (event: Office.MailboxEvent) => void {
  return event => {
    const item = Office.context.mailbox.item as unknown as MailItem
    let isOpen = true
    let from = ''
    const ask = askWhile(() => isOpen)
    const work = (): Promise<unknown> =>
      recallSha(ask, item).then(sha => {
        // Outlook can raise the event again for the same mail, for example in a window of its own.
        if (sha && occasion === 'composed') return
        return senderOf(ask, item)
          .then(address => {
            from = address
            return answerFor(occasion, address, token)
          })
          .then(({ answer, refreshed }) => apply(ask, item, occasion, sha, answer).then(() => refreshed))
      })
    const close = (): void => {
      isOpen = false
    }
    last = last
      .then(() => within(longestWork, work()))
      .then(close, problem => {
        close()
        return report(problem, from, token)
      })
      .catch(() => null)
      .then(() => event.completed())
      .catch(() => null)
  }
}

export function associateHandlers(token: TokenSource): void {
  Office.actions.associate('onNewMessageCompose', handlerOf('composed', token))
  Office.actions.associate('onMessageFromChanged', handlerOf('from', token))
  Office.actions.associate('onMessageRecipientsChanged', handlerOf('recipients', token))
}
