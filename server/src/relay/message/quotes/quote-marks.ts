// Marks in the HTML with which mail clients begin a quote. An element is known by its attributes alone.

/** The attributes of an opening tag that marks are looked for in. */
export interface MarkAttributes {
  readonly id?: string
  readonly class?: string
  readonly style?: string
  readonly type?: string
  readonly name?: string
  readonly hidden?: string
  readonly 'data-marker'?: string
}

const classes = new Set([
  'gmail_quote', // Gmail, Superhuman, Mailspring
  'gmail_quote_container',
  'gmail_extra', // Gmail until 2018
  'OutlookMessageHeader', // Outlook 2003
  'ms-outlook-mobile-reference-message', // Outlook for iOS and Android
  'ms-outlook-mobile-body-separator-line',
  'protonmail_quote',
  'zmail_extra', // Zoho
  'zmail_extra_hr',
  'front-blockquote',
  'moz-cite-prefix', // Thunderbird
  'moz-forward-container',
  'tutanota_quote',
  'missive_quote',
  'airmail_on',
  'yahoo_quoted',
])

const ids = new Set([
  'appendonsend', // Outlook on the web
  'divRplyFwdMsg',
  'mail-editor-reference-message-container', // Outlook for iOS, Android and the new Outlook
  'OLK_SRC_BODY_SECTION', // Outlook 2011 for Mac
  'stopSpelling', // Hotmail
  'zwchr', // Zimbra
  'reply-intro', // Roundcube
  'isReplyContent', // NetEase
  'isForwardContent',
  '_originalContent', // BlackBerry 10
  'replySplit',
])

/** The line above the header block that Word draws: Outlook 2007 to 365, Windows Mail. */
const wordLine =
  /border-top:(?:solid#(?:b5c4df|e1e1e1)1[.,]0pt|(?:#b5c4df|#e1e1e1)1ptsolid|1ptsolidrgb\((?:181,196,223|225,225,225)\))/

/** Elements behind a quote that a client adds on its own: nothing that the sender wrote. */
const signatureClasses = new Set(['gmail_signature', 'gmail_signature_prefix', 'moz-signature'])
/** The footer of a virus scanner. */
const footerIds = new Set(['DAB4FAD8-2DD7-40BB-A1B8-4E2AA1F9FDF2'])

const words = (value: string | undefined): string[] => (value ? value.split(/\s+/) : [])

/** Yahoo puts a prefix of its own before class names: `ydp1a2byahoo_quoted`. */
const hasMarkClass = (value: string | undefined): boolean =>
  words(value).some(word => classes.has(word) || word.endsWith('yahoo_quoted'))

export function marksQuote(tag: string, attributes: MarkAttributes): boolean {
  if (hasMarkClass(attributes.class)) return true
  if (attributes.id !== undefined && ids.has(attributes.id)) return true
  if (attributes['data-marker'] === '__DIVIDER__' || attributes['data-marker'] === '__HEADERS__') return true
  if (attributes.type === 'cite' && (tag === 'blockquote' || tag === 'div')) return true
  // GMX and Web.de; Spark.
  if (tag === 'div' && (attributes.name === 'quote' || attributes.name === 'messageReplySection')) return true
  return tag === 'div' && attributes.style !== undefined && hasWordLine(attributes.style)
}

const hasWordLine = (style: string): boolean => wordLine.test(style.replace(/\s+/g, '').toLowerCase())

/** Samsung Mail. */
export const isQuoteComment = (text: string): boolean => text.trim() === 'originalMessage'

export const isAddedByClient = (attributes: MarkAttributes): boolean =>
  words(attributes.class).some(word => signatureClasses.has(word)) ||
  (attributes.id !== undefined && footerIds.has(attributes.id))
