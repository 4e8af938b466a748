// The text of a test mail: a short letter with the signature at its end, as in a mail that a person wrote.
import { escapeText } from '@signoff/render'
import type { VariantKind } from '#features/signatures/signatures/index.ts'
import type { OutgoingMail } from '#kernel/base/mail.ts'

/** The draft at the time of the request, rendered. */
export type TestMail = Required<OutgoingMail>

/** Null: no signature is shown in this kind of mail. */
export type ShownSignature = { readonly html: string; readonly text: string } | null

export interface ShownVariant {
  readonly kind: VariantKind
  readonly isActive: boolean
  readonly signature: ShownSignature
}

interface TestMailParts {
  readonly signatureName: string
  readonly sender: { readonly name: string; readonly email: string }
  readonly signature: { readonly html: string; readonly text: string }
  readonly variants: readonly ShownVariant[]
}

const mailKindNames: Readonly<Record<VariantKind, string>> = {
  reply: 'In replies',
  internal: 'In internal mail',
}

const font = 'font-family:Arial,Helvetica,sans-serif'
/** Readable on white and in dark mode. */
const muted = 'color:#7d7d7d'

const headingOf = ({ kind, isActive }: ShownVariant): string =>
  `${mailKindNames[kind]}${isActive ? '' : ' (not active yet)'}`

const noSignature = 'No signature is shown.'

/** Without sender and recipient. */
export function composeTestMail(parts: TestMailParts): Omit<TestMail, 'to' | 'fromName'> {
  const { signatureName, sender, signature, variants } = parts
  const name = signatureName.replace(/\s+/g, ' ')
  const senderName = sender.name.replace(/\s+/g, ' ')
  const intro = `This is how the signature “${name}” looks at the end of a mail.`
  const closing = `This is a test that ${senderName} (${sender.email}) sent from Signoff; nothing in your mailbox has changed.`
  const paragraph = (words: string) => `<p style="margin:0 0 16px">${escapeText(words)}</p>`
  const section = (variant: ShownVariant) =>
    `<p style="margin:28px 0 12px;font-size:12px;line-height:16px;${muted}">${escapeText(headingOf(variant))}</p>${
      variant.signature?.html ?? paragraph(noSignature)
    }`
  return {
    subject: `Test: ${name}`,
    text: [
      'Hello,',
      intro,
      signature.text,
      ...variants.flatMap(variant => [`${headingOf(variant)}:`, variant.signature?.text ?? noSignature]),
      closing,
    ].join('\n\n'),
    html: [
      `<div style="${font};font-size:14px;line-height:20px">`,
      paragraph('Hello,'),
      paragraph(intro),
      signature.html,
      ...variants.map(section),
      `<p style="margin:28px 0 0">${escapeText(closing)}</p>`,
      '</div>',
    ].join('\n'),
  }
}
