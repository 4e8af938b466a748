import { appleMail } from './apple.ts'
import { attributionLookAlikes } from './attribution-look-alikes.ts'
import { type CorpusMessage, html, mail } from './builder.ts'
import { charsets } from './charsets.ts'
import { desktop } from './desktop.ts'
import { gmail } from './gmail.ts'
import { leftAlone } from './left-alone.ts'
import { lookAlikes } from './look-alikes.ts'
import { brokenHtml, malformed } from './malformed.ts'
import { outlookMessages } from './outlook.ts'
import { webmail } from './webmail.ts'

const broken = brokenHtml.map(([name, source]) => ({
  ...mail(`HTML: ${name}`, html(source, { encoding: '8bit' })),
  isReply: source.includes('blockquote'),
}))

/** Messages as real clients write them, made up by hand from what is known of their structure. */
export const corpus: readonly CorpusMessage[] = [
  ...gmail,
  ...outlookMessages,
  ...appleMail,
  ...webmail,
  ...desktop,
  ...charsets,
  ...leftAlone,
  ...lookAlikes,
  ...attributionLookAlikes,
  ...malformed,
  ...broken,
]
