import { escapeText } from '@signoff/render'

export interface CampaignMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface MailInput {
  readonly campaign: string
  readonly to: string
  /** The address of the personal page; null when the workspace has none. */
  readonly page: string | null
  readonly html: string
  readonly text: string
}

/** Shows the current signature, and links the personal page for teammates who copy their signature themselves. */
export function composeCampaignMail({ campaign, to, page, html, text }: MailInput): CampaignMail {
  const intro = `The banner “${campaign}” is now part of your email signature. This is how it looks:`
  const hint = 'If you copy your signature yourself, fetch it again from your private page:'
  const link = page === null ? '' : `<p>${hint}<br><a href="${escapeText(page)}">${escapeText(page)}</a></p>`
  return {
    to,
    subject: `New in your email signature: ${campaign.replace(/\s+/g, ' ')}`,
    text: [intro, text, ...(page === null ? [] : [`${hint}\n${page}`])].join('\n\n'),
    html: `<p>${escapeText(intro)}</p>${html}${link}`,
  }
}
