// Composes the mails of the service in the colours, language and name of their workspace.
import { type FittedPicture, findAssets, fittedPicture } from '#features/content/assets/index.ts'
import { findBrand } from '#features/content/brand/index.ts'
import { type MailIdentity, mailIdentityOf } from '#features/workspace/workspaces/index.ts'
import {
  type ComposeMail,
  type MailContent,
  type MailContext,
  type MailLanguage,
  type MailPart,
  mailLanguages,
} from '#kernel/base/mail.ts'
import type { Db } from '#kernel/db/db.ts'
import { mailColors } from './colors.ts'
import { mailHtml } from './layout.ts'
import { layoutMessages } from './messages.ts'
import { headerName, sentenceName } from './names.ts'

const withoutWorkspace = { name: 'Signoff', mail_sender_name: null, locale: 'en', time_zone: 'UTC' }

const languageOf = (locale: string): string => locale.split('-')[0] ?? locale

/** English for languages in which the service writes no mails. */
const mailLanguageOf = (locale: string): MailLanguage =>
  mailLanguages.find(language => language === languageOf(locale)) ?? 'en'

/** The forms of dates on the pages. */
const dateLocales: Readonly<Record<MailLanguage, string>> = { en: 'en-GB', de: 'de-DE' }

/**
 * Such as `17 November 2026, 13:42 CET`. The locale of the workspace counts where it names a region, such as en-US, and
 * is in the language of the mail.
 */
function dateWriter(language: MailLanguage, locale: string, timeZone: string): MailContext['dateOf'] {
  const isOwn = locale !== language && languageOf(locale) === language
  const form = isOwn ? locale : dateLocales[language]
  const date = new Intl.DateTimeFormat(form, { dateStyle: 'long', timeZone })
  const time = new Intl.DateTimeFormat(form, {
    ...{ hour: 'numeric', minute: '2-digit' },
    ...{ timeZone, timeZoneName: 'short' },
  })
  return moment => `${date.format(moment)}, ${time.format(moment)}`
}

/** A name and one line for headers: names stand in subjects too. */
const headerLine = (text: string): string =>
  text
    .replace(/[\u200b\u2068\u2069]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()

const senderName = ({ name, mail_sender_name }: Pick<MailIdentity, 'name' | 'mail_sender_name'>): string =>
  headerName(mail_sender_name ?? name) || withoutWorkspace.name

/** The name beside the sender's address in the mails of a workspace. */
export const senderNameOf = async (db: Db, workspaceId: string): Promise<string> =>
  senderName((await mailIdentityOf(db, workspaceId)) ?? withoutWorkspace)

/** Wide logos become less high. */
const logoBox = { width: 180, height: 40 }

async function logoOf(
  db: Db,
  workspaceId: string,
  publicUrl: string,
  assetId: string,
): Promise<FittedPicture | null> {
  const [asset] = await findAssets(db, workspaceId, publicUrl, [assetId])
  return asset ? fittedPicture(asset, logoBox) : null
}

/** A line that begins with `--` would be read as the beginning of a signature, and `>` as a quotation. */
const partText = (part: MailPart): string => {
  switch (part.kind) {
    case 'paragraph':
    case 'signature':
      return part.text
    case 'link':
      return `${part.label}:\n${part.url}`
    case 'facts':
      return part.facts.map(([name, value]) => `${name}: ${value}`).join('\n')
  }
}

const mailText = ({ title, parts, reason }: MailContent, closing: string): string =>
  `${[title, ...parts.map(partText), '____', `${reason}\n${closing}`].join('\n\n')}\n`

export const createMailComposer =
  (db: Db, publicUrl: string): ComposeMail =>
  async ({ to, workspaceId, language: chosen, write }) => {
    const workspace = workspaceId === null ? undefined : await mailIdentityOf(db, workspaceId)
    const brand = workspaceId === null ? undefined : await findBrand(db, workspaceId)
    const { name, locale, time_zone } = workspace ?? withoutWorkspace
    const language = chosen ?? mailLanguageOf(locale)
    const company = (workspace && sentenceName(name)) || new URL(publicUrl).host
    const dateOf = dateWriter(language, locale, time_zone)
    const content = write({ company, language, nameOf: sentenceName, dateOf })
    const { sentBy, sentBySignoff, untracked } = layoutMessages[language]
    const closing = `${workspace ? sentBy(company) : sentBySignoff} ${untracked}`
    const colors = mailColors(brand?.colors.primary ?? null)
    const logoId = brand?.logo_asset_id ?? null
    const logo =
      workspaceId === null || logoId === null ? null : await logoOf(db, workspaceId, publicUrl, logoId)
    return {
      to,
      fromName: senderName(workspace ?? withoutWorkspace),
      subject: headerLine(content.subject),
      text: mailText(content, closing),
      html: mailHtml(content, { language, company, closing, colors, logo }),
    }
  }
