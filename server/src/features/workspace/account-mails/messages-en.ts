import type { Role } from '#kernel/api/scopes.ts'
import { factsPart, linkPart, type MailContext, type MailPart, paragraph } from '#kernel/base/mail.ts'
import type { AccountMailData, AccountMessages, MailReader } from './kinds.ts'

const roleNames: Readonly<Record<Role, string>> = {
  owner: 'owner',
  admin: 'admin',
  manager: 'manager',
  member: 'member',
}

const factorNames: Readonly<Record<AccountMailData['second_factor_changed']['factor'], string>> = {
  totp: 'the authenticator app',
  passkey: 'a passkey',
  recovery_codes: 'recovery codes',
}

/** A sentence that begins with it. */
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

type Origin = AccountMailData['new_sign_in']

const originFacts = ({ at, browser, network }: Origin, { dateOf, nameOf }: MailContext): MailPart =>
  factsPart(['Time', dateOf(at)], ['Browser', browser && nameOf(browser)], ['Network', network])

const validOnce = (expiresAt: Date, { dateOf }: MailContext): MailPart =>
  paragraph(`The link works once, until ${dateOf(expiresAt)}.`)

/** Steps for a reader who did not do it. */
const notYou = (steps: string, button: MailPart): readonly MailPart[] => [
  paragraph('If this was you, there is nothing to do.'),
  paragraph(`If this was not you, ${steps}`),
  button,
]

const openAccount = (publicUrl: string): MailPart => linkPart('Open your account', `${publicUrl}/account`)

const operatorOf = ({ publicUrl }: MailReader): string => `the operator of ${new URL(publicUrl).host}`

/** The person who can help the reader. */
const helperOf = ({ company }: MailContext, reader: MailReader): string =>
  reader.isOwner ? operatorOf(reader) : `an administrator of ${company}`

const changePassword = (context: MailContext, reader: MailReader): string =>
  `sign in, change your password, and sign out everywhere. Then tell ${helperOf(context, reader)}.`

/** The reader cannot sign in without a factor that another person has added. */
const removeFactor = ({ company }: MailContext, reader: MailReader): string =>
  `you possibly cannot sign in any more: ask ${reader.isOwner ? '' : `an administrator of ${company} or `}${operatorOf(reader)} to remove it. Then change your password.`

const becauseOfAccount = (to: string): string =>
  `You get this mail because an account with the address ${to} exists here. Mails about its security cannot be switched off.`

const variantNames = { reply: 'for replies', internal: 'for internal mail' } as const

type Requested = AccountMailData['publication_requested' | 'publication_decided']

/** The name that people have given the signature, in quotes. */
const signatureOf = ({ signature, variant }: Requested, { nameOf }: MailContext): string =>
  `“${nameOf(signature)}”${variant === null ? '' : ` (the variant ${variantNames[variant]})`}`

export const englishMessages: AccountMessages = {
  greeting: name => (name === '' ? 'Hello,' : `Hello ${name},`),
  kinds: {
    invitation: ({ url, expiresAt, invitedBy, role }, context, reader) => {
      const { company, nameOf } = context
      const { to } = reader
      const sender = role === 'owner' ? capitalized(operatorOf(reader)) : `An administrator of ${company}`
      const inviter = invitedBy === null ? sender : nameOf(invitedBy)
      return {
        subject: `Invitation to ${company}`,
        title: `Join ${company} on Signoff`,
        parts: [
          paragraph(
            `${inviter} invites you to work on the email signatures of ${company} with Signoff. Your role will be: ${roleNames[role]}.`,
          ),
          linkPart('Accept the invitation', url),
          validOnce(expiresAt, context),
          paragraph(
            `If you do not know ${company}, or did not expect this, do nothing: the invitation ends by itself.`,
          ),
        ],
        reason: `You get this mail because your address ${to} was entered in an invitation.`,
      }
    },
    sign_in_link: ({ url, expiresAt }, context, { to }) => ({
      subject: `Your link to sign in to ${context.company}`,
      title: 'Sign in',
      parts: [
        paragraph(
          `This link signs you in as ${to}. Open it in the browser in which you asked for it; it works in no other.`,
        ),
        linkPart('Sign in', url),
        validOnce(expiresAt, context),
        paragraph('If you did not ask for it, do nothing. Without this mail the link cannot be used.'),
      ],
      reason: `You get this mail because your address ${to} was entered on the sign-in page.`,
    }),
    password_reset: ({ url, expiresAt }, context, { to }) => ({
      subject: `Set a new password for ${context.company}`,
      title: 'Set a new password',
      parts: [
        paragraph(`With this link you set a new password for your account ${to}.`),
        linkPart('Set a new password', url),
        validOnce(expiresAt, context),
        paragraph('If you did not ask for it, do nothing: your password stays as it is.'),
      ],
      reason: `You get this mail because a new password was asked for on the sign-in page, for your address ${to}.`,
    }),
    new_sign_in: (data, context, reader) => ({
      subject: `New sign-in to your account at ${context.company}`,
      title: 'New sign-in to your account',
      parts: [
        paragraph(
          `Your account ${reader.to} was used ${data.isBySso ? `through the single sign-on of ${context.company}, ` : ''}in a browser in which it was not used before.`,
        ),
        originFacts(data, context),
        ...notYou(
          data.isBySso
            ? `tell an administrator of ${context.company}, and secure your account at its identity provider. Other workspaces are not affected.`
            : changePassword(context, reader),
          openAccount(reader.publicUrl),
        ),
      ],
      reason: becauseOfAccount(reader.to),
    }),
    password_changed: (data, context, reader) => ({
      subject: `Your password at ${context.company} was changed`,
      title: 'Your password was changed',
      parts: [
        paragraph(
          `The password of your account ${reader.to} was changed. All other browsers were signed out.`,
        ),
        originFacts(data, context),
        ...notYou(
          `ask for a link to choose a new password. Then tell ${helperOf(context, reader)}.`,
          linkPart('Choose a new password', `${reader.publicUrl}/forgot`),
        ),
      ],
      reason: becauseOfAccount(reader.to),
    }),
    role_changed: ({ role, changedBy }, context, reader) => ({
      subject: `Your role at ${context.company} was changed`,
      title: `Your role is now: ${roleNames[role]}`,
      parts: [
        paragraph(
          `${changedBy === null ? capitalized(operatorOf(reader)) : context.nameOf(changedBy)} changed your role at ${context.company}. From now on you have the rights of the role “${roleNames[role]}”.`,
        ),
        paragraph(`If this is a mistake, ask ${helperOf(context, reader)}.`),
        openAccount(reader.publicUrl),
      ],
      reason: `You get this mail because you are a member of ${context.company} with the address ${reader.to}.`,
    }),
    second_factor_changed: (data, context, reader) => {
      const { to, publicUrl } = reader
      const factor = capitalized(factorNames[data.factor])
      const verb = data.factor === 'recovery_codes' ? 'were' : 'was'
      const isNew = data.change === 'added'
      const steps = isNew && data.factor !== 'recovery_codes' ? removeFactor : changePassword
      return {
        subject: `Your ways to sign in at ${context.company} were changed`,
        title: `${factor} ${verb} ${isNew ? 'added' : 'removed'}`,
        parts: [
          paragraph(
            isNew
              ? `${factor} ${verb} added to your account ${to} and can be used to sign in.`
              : `${factor} ${verb} removed from your account ${to} and can no longer be used to sign in.`,
          ),
          originFacts(data, context),
          ...notYou(steps(context, reader), openAccount(publicUrl)),
        ],
        reason: becauseOfAccount(to),
      }
    },
    publication_requested: (data, context, { publicUrl, to }) => ({
      subject: `A signature of ${context.company} waits for your approval`,
      title: 'A signature waits for approval',
      parts: [
        paragraph(
          `${data.requestedBy === null ? 'A manager' : context.nameOf(data.requestedBy)} asks to publish the signature ${signatureOf(data, context)}. It goes live when an owner or admin approves it.`,
        ),
        linkPart('Look at the request', `${publicUrl}/approvals`),
      ],
      reason: `You get this mail because you are an owner or admin of ${context.company} with the address ${to}.`,
    }),
    publication_decided: (data, context, { publicUrl, to }) => ({
      subject: `Your signature at ${context.company} was ${data.isApproved ? 'approved' : 'not approved'}`,
      title: data.isApproved ? 'Your signature is live' : 'Your signature was not approved',
      parts: [
        paragraph(
          `${data.decidedBy === null ? `An administrator of ${context.company}` : context.nameOf(data.decidedBy)} ${data.isApproved ? 'approved' : 'rejected'} your request to publish the signature ${signatureOf(data, context)}. ${data.isApproved ? 'Mailboxes are updated in the background.' : 'The draft stays as it is.'}`,
        ),
        ...(data.reason === null ? [] : [factsPart(['Reason', context.nameOf(data.reason)])]),
        linkPart('Open the signature', `${publicUrl}/signatures/${data.signatureId}`),
      ],
      reason: `You get this mail because you asked to publish this signature, as a member of ${context.company} with the address ${to}.`,
    }),
  },
}
