// The one HTML layout of all mails that the service writes: tables and inline styles, because mail clients support little
// else; the style element only adds dark colours and narrow screens. No scripts; the logo of the company is the only
// picture, and where pictures are blocked its place shows the name.
import { escapeText } from '@signoff/render'
import type { FittedPicture } from '#features/content/assets/index.ts'
import type { MailContent, MailLanguage, MailPart } from '#kernel/base/mail.ts'
import type { MailColors } from './colors.ts'
import { layoutMessages } from './messages.ts'

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const ink = '#1b1f24'
const faint = '#57606a'
const small = `${font};font-size:13px;line-height:20px;color:${faint}`
/** Addresses and long names break anywhere, so that they never widen a narrow screen. */
const breaking = 'word-break:break-word;overflow-wrap:anywhere'
/** Tables for layout are no tables to a screen reader. */
const table = 'role="presentation" border="0" cellpadding="0" cellspacing="0"'

const darkStyle = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:620px){.pad{padding-left:20px!important;padding-right:20px!important}.outer{padding:12px 8px!important}}
@media (prefers-color-scheme:dark){.paper{background-color:#14171a!important}.card{background-color:#1e2227!important;border-left-color:#3d444d!important;border-right-color:#3d444d!important;border-bottom-color:#3d444d!important}
.ink{color:#e8eaed!important}.faint,.fact{color:#a5afb9!important}.link{color:#8cc2ff!important}.line{border-color:#3d444d!important}.button{border-color:#57606a!important}.plate{padding-left:8px!important}}`

const paragraph = (text: string): string =>
  `<p class="ink" style="margin:0 0 16px;${font};font-size:16px;line-height:24px;color:${ink};${breaking}">${escapeText(text)}</p>`

/** The cell has the colour too: Outlook on Windows ignores the padding and background of links. */
const button = (label: string, url: string, { accent, onAccent }: MailColors): string =>
  `<table ${table} style="margin:8px 0 16px"><tr><td class="button" bgcolor="${accent}" style="border-radius:6px;border:1px solid ${accent};background-color:${accent}"><a href="${escapeText(url)}" style="display:inline-block;padding:12px 24px;${font};font-size:16px;line-height:24px;font-weight:600;color:${onAccent};text-decoration:none;border-radius:6px">${escapeText(label)}</a></td></tr></table>`

function link(label: string, url: string, language: MailLanguage, colors: MailColors): string {
  const { leadsTo, otherwise } = layoutMessages[language]
  const address = escapeText(url)
  return `${button(label, url, colors)}
<p class="faint" style="margin:0 0 24px;${small};${breaking}">${leadsTo(`<strong>${escapeText(new URL(url).host)}</strong>`)} ${escapeText(otherwise)}<br><a class="link" href="${address}" style="color:#0b5cad;text-decoration:underline;word-break:break-all">${address}</a></p>`
}

const fact = ([name, value]: readonly [string, string]): string =>
  `<tr><th class="fact" scope="row" align="left" valign="top" style="padding:4px 16px 4px 0;${font};font-size:14px;line-height:20px;font-weight:400;color:${faint};text-align:left;vertical-align:top">${escapeText(name)}</th><td class="ink" valign="top" style="padding:4px 0;${font};font-size:14px;line-height:20px;color:${ink};${breaking}">${escapeText(value)}</td></tr>`

/** A table of data: screen readers read the name with each value. */
const facts = (pairs: readonly (readonly [string, string])[]): string =>
  `<table class="line" border="0" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-left:3px solid #d0d7de"><tr><td style="padding:4px 0 4px 16px"><table border="0" cellpadding="0" cellspacing="0">${pairs.map(fact).join('')}</table></td></tr></table>`

/** On white in dark mode too: the colours of a signature are chosen for white. */
const signature = (html: string): string =>
  `<table ${table} width="100%" style="margin:0 0 24px"><tr><td class="line" bgcolor="#ffffff" style="padding:16px;border:1px solid #d0d7de;border-radius:6px;background-color:#ffffff;color:${ink}">${html}</td></tr></table>`

function partHtml(part: MailPart, language: MailLanguage, colors: MailColors): string {
  switch (part.kind) {
    case 'paragraph':
      return paragraph(part.text)
    case 'link':
      return link(part.label, part.url, language, colors)
    case 'facts':
      return facts(part.facts)
    case 'signature':
      return signature(part.html)
  }
}

interface MailFrame {
  readonly language: MailLanguage
  readonly company: string
  readonly closing: string
  readonly colors: MailColors
  readonly logo: FittedPicture | null
}

const companyStyle = `${font};font-size:14px;line-height:20px;font-weight:600;color:${faint};${breaking}`

/** On white in dark mode too, where logos are made for white paper. The text of a blocked picture looks like a name. */
function companyHtml(company: string, logo: FittedPicture | null): string {
  const name = escapeText(company)
  if (!logo) return `<p class="faint" style="margin:0 0 20px;${companyStyle}">${name}</p>`
  const { url, width, height } = logo
  return `<table ${table} style="margin:0 0 20px"><tr><td class="plate" bgcolor="#ffffff" style="padding:6px 8px 6px 0;border-radius:6px;background-color:#ffffff"><img src="${escapeText(url)}" width="${width}" height="${height}" alt="${name}" style="display:block;border:0;width:${width}px;max-width:100%;height:auto;${companyStyle}"></td></tr></table>`
}

export function mailHtml({ subject, title, parts, reason }: MailContent, frame: MailFrame): string {
  const { language, company, closing, colors, logo } = frame
  return `<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeText(subject)}</title>
<style>${darkStyle}</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:#f4f5f7;-webkit-text-size-adjust:100%">
<table ${table} width="100%" class="paper" bgcolor="#f4f5f7" style="background-color:#f4f5f7"><tr><td class="outer" align="center" style="padding:32px 16px">
<!--[if mso]><table ${table} width="600"><tr><td><![endif]-->
<table ${table} width="100%" style="max-width:600px;margin:0 auto"><tr><td class="card" bgcolor="#ffffff" align="left" style="background-color:#ffffff;border:1px solid #d0d7de;border-top:4px solid ${colors.accent};border-radius:8px">
<table ${table} width="100%">
<tr><td class="pad" style="padding:28px 36px 0">${companyHtml(company, logo)}
<h1 class="ink" style="margin:0 0 20px;${font};font-size:22px;line-height:30px;font-weight:600;color:${ink};${breaking};hyphens:auto">${escapeText(title)}</h1>
${parts.map(part => partHtml(part, language, colors)).join('\n')}</td></tr>
<tr><td class="pad" style="padding:8px 36px 28px"><table ${table} width="100%"><tr><td class="line" style="border-top:1px solid #d0d7de;padding:16px 0 0"><p class="faint" style="margin:0;${small};${breaking}">${escapeText(reason)}<br>${escapeText(closing)}</p></td></tr></table></td></tr>
</table></td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`
}
