import { escapeText } from '@signoff/render'

export interface CampaignMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Told {
  readonly campaign: string
  readonly to: string
  /** The private page; null where the workspace has none. */
  readonly page: string | null
  readonly html: string
  readonly text: string
}

/** The signature is shown as it is now; whoever fetches it by hand is told where. */
export function mailFor({ campaign, to, page, html, text }: Told): CampaignMail {
  const news = `The banner “${campaign}” is now part of your email signature. This is how it looks:`
  const fetch = 'If you copy your signature yourself, fetch it again from your private page:'
  const link = page === null ? '' : `<p>${fetch}<br><a href="${escapeText(page)}">${escapeText(page)}</a></p>`
  return {
    to,
    subject: `New in your email signature: ${campaign.replace(/\s+/g, ' ')}`,
    text: [news, text, ...(page === null ? [] : [`${fetch}\n${page}`])].join('\n\n'),
    html: `<p>${escapeText(news)}</p>${html}${link}`,
  }
}
