// Problems of the signature as a whole.
import { maxHtmlLength } from '@signoff/render'
import type { VariantKind } from '../../variants/schemas.ts'
import type { CheckRule } from '../problems.ts'

export const nothingToShow: CheckRule = ({ isEmpty, blocks, recipients }) => {
  if (!isEmpty) return []
  const message =
    recipients === 0
      ? 'The signature is empty.'
      : `None of the ${recipients} recipients would see anything: the blocks are hidden, empty, or need values that no recipient has.`
  return [{ code: 'nothing_to_show', severity: 'error', message, blocks: blocks.slice(0, 1) }]
}

export const tooLong: CheckRule = ({ length, blocks }) => {
  if (length.longest <= maxHtmlLength) return []
  const message = `The HTML has up to ${length.longest} characters as installed. Mail clients cut signatures above ${maxHtmlLength}, and Gmail refuses more than 10,000: remove blocks or shorten texts.`
  return [
    {
      code: 'too_long',
      severity: 'warning',
      message,
      blocks: blocks.slice(0, 1),
      recipientsAffected: length.tooLong,
    },
  ]
}

const mails: Readonly<Record<VariantKind, string>> = { reply: 'replies', internal: 'internal mails' }

export const variantNotActive: CheckRule = ({ inactiveVariants }) =>
  inactiveVariants.map(kind => ({
    code: 'variant_not_active',
    severity: 'warning',
    message: `The ${kind} variant is published but switched off: ${mails[kind]} get the main signature. Set \`activated\` to true.`,
    blocks: [],
  }))
