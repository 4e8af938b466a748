// The systems that can be connected today, and those that cannot yet.
import type { IconName } from '../../ui/icon.tsx'

export const availableKinds = ['google_workspace', 'webhook'] as const
export type AvailableKind = (typeof availableKinds)[number]

export const isAvailable = (kind: string): kind is AvailableKind => availableKinds.some(each => each === kind)

export const kindIcons: Readonly<Record<AvailableKind, IconName>> = {
  google_workspace: 'mail',
  webhook: 'webhook',
}

export const guides: Readonly<Record<AvailableKind, string>> = {
  google_workspace: '/docs/guides/gmail',
  webhook: '/docs/guides/webhook',
}

/** Connecting needs a key or shows a secret: it is done on the machine that runs the service. */
export const connectCommands: Readonly<Record<AvailableKind, string>> = {
  google_workspace:
    'npx signoff integrations add google --key-file service-account.json --admin admin@example.com --check',
  webhook: 'npx signoff integrations add webhook --url https://mail.example.com/signatures',
}

export const disconnectCommand = (id: string): string => `npx signoff integrations remove ${id}`

export const comingKinds = ['microsoft_365', 'ldap', 'scim', 'relay'] as const

export const comingIcons: Readonly<Record<(typeof comingKinds)[number], IconName>> = {
  microsoft_365: 'mail',
  ldap: 'server',
  scim: 'users',
  relay: 'send',
}
