// Finds out whether a body has a signature of the service. Mail editors drop ids, classes and comments of what is
// inserted; addresses of links and pictures, and the letters, stay.
import type { MailSignature } from '../wire.ts'

/**
 * Marks that Outlook puts where the quoted mail begins: Outlook on the web and new Outlook, phones and Mac, classic Outlook
 * (bookmark, line above the header); then text bodies.
 */
const quoteInHtml =
  /id=["']?(?:appendonsend|divRplyFwdMsg|mail-editor-reference|OLK_SRC_BODY)|name=["']?_MailOriginal|border-top: ?solid #(?:e1e1e1|b5c4df)|<blockquote/i
const quoteInText = /^(?:_{20}|-{3,} ?[A-Z]|>)/m

/**
 * The body above the quoted mail. `isFresh`: the mail was opened just now, so a reply without a known beginning of the
 * quote is all quote.
 */
export function abovePart(body: string, isText: boolean, isReply: boolean, isFresh: boolean): string {
  if (!isReply) return body
  const at = body.search(isText ? quoteInText : quoteInHtml)
  return at < 0 ? (isFresh ? '' : body) : body.slice(0, at)
}

/** Letters and digits of ASCII: editors write the same text with other tags, entities and white space. */
export const lettersOf = (text: string): string => text.replace(/<[^<>]*>|&#?\w+;|[^A-Za-z0-9]/g, '')

/** Fewer letters could be in any mail. */
export const hasLetters = (body: string, letters: string): boolean =>
  letters.length > 7 && lettersOf(body).indexOf(letters) >= 0

/** A tracked address belongs to one signature of one person. Pictures can be the same in several signatures. */
function holds(body: string, part: string, own: string): boolean {
  const tracked = (part.match(/https?:\/\/[^\s"'<>&]+/g) || []).filter(
    address => address.indexOf(`${own}c/`) === 0 || address.indexOf(`${own}o/`) === 0,
  )
  return tracked.length > 0
    ? tracked.some(address => body.indexOf(address) >= 0)
    : hasLetters(body, lettersOf(part))
}

/** `own`: how addresses of the service begin. */
export const holdsSignature = (body: string, { html, text }: MailSignature, own: string): boolean =>
  holds(body, html, own) || holds(body, text, own)
