// What both manifests say. Each change of a manifest stops the add-in for all people until an admin has consented, so
// they change rarely: behaviour belongs into the script, and every address stays the same.
import { addInBase } from '../tokens/rules.ts'

/** Raise it when the manifests change. The number of the token is the last part of the version. */
const manifestGeneration = '1.0'

export const iconSides = [16, 32, 64, 80, 128] as const
export type IconSide = (typeof iconSides)[number]

/** Names in the XML manifest, in the unified manifest, and of the function in the script that handles the event. */
export const launchEvents = [
  { xml: 'OnNewMessageCompose', json: 'newMessageComposeCreated', handler: 'onNewMessageCompose' },
  { xml: 'OnMessageFromChanged', json: 'messageFromChanged', handler: 'onMessageFromChanged' },
  {
    xml: 'OnMessageRecipientsChanged',
    json: 'messageRecipientsChanged',
    handler: 'onMessageRecipientsChanged',
  },
] as const

/**
 * Phones know no newer set, although they have the events. Outlooks on computers that lack an event do not raise it.
 */
export const mailboxVersion = '1.5'

export interface ManifestFacts {
  /** Stable for an integration: a manifest with the same id replaces the deployed one. */
  readonly id: string
  readonly version: string
  readonly company: string
  readonly names: {
    readonly short: string
    readonly description: string
    readonly button: string
    readonly tip: string
  }
  readonly base: string
  readonly page: string
  readonly script: string
  readonly pane: string
  readonly support: string
  icon(side: IconSide): string
}

interface ManifestSource {
  readonly publicUrl: string
  readonly token: string
  readonly integrationId: string
  readonly number: number
  readonly company: string
}

export function manifestFacts({
  publicUrl,
  token,
  integrationId,
  number,
  company,
}: ManifestSource): ManifestFacts {
  const base = addInBase(publicUrl, token)
  return {
    id: integrationId,
    version: `${manifestGeneration}.${number}`,
    // Characters that XML cannot hold.
    company:
      company
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
        .toWellFormed() || 'Signoff',
    names: {
      short: 'Signatures',
      description: 'Puts the signature of your company into new mails, replies and forwards.',
      button: 'Signature',
      tip: 'Shows which signature you get, and why.',
    },
    base,
    page: `${base}/launch.html`,
    script: `${base}/launch.js`,
    pane: `${base}/taskpane.html`,
    support: `${publicUrl}/docs/guides/outlook`,
    icon: side => `${base}/icon-${side}.png`,
  }
}
