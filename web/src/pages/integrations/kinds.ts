// The kinds of systems that can be connected, and what each of them asks for. The forms are made from this table: a
// setting that the API calls otherwise is corrected here alone. Texts: `kinds.<kind>` and `fields.<name>`.
import type { Integration } from '@signoff/sdk'
import type { IconName } from '#ui/base/icon.tsx'

export type Capability = Integration['capabilities'][number]

const fieldNames = [
  'admin',
  'service_account_key',
  'tenant',
  'client_id',
  'client_secret',
  'certificate',
  'private_key',
  'password',
  'id_column',
  'alias_column',
  'group_columns',
  'url',
  'next_hop',
  'clients',
  'domains',
  'mails',
  'repair',
] as const
export type FieldName = (typeof fieldNames)[number]

export interface KindField {
  readonly name: FieldName
  /** The part of the request that has it. */
  readonly part: 'settings' | 'secret'
  /**
   * `file`: a text file, chosen or pasted. `list`: several short texts. `mails`: which mail gets a signature. `repair`:
   * what happens to a signature that was changed in the mailbox.
   */
  readonly control: 'text' | 'email' | 'password' | 'file' | 'list' | 'mails' | 'repair'
  readonly isRequired: boolean
  /** Asked for in the settings, and not to connect. */
  readonly isLater?: boolean
  /** Asked for only where the integration does this. */
  readonly for?: Capability
  readonly placeholder?: string
  /** Only of a list: what stands between two of its texts. */
  readonly separators?: RegExp
  /** Only of a file: the types for the dialog that chooses one, and what its text has. */
  readonly file?: { readonly types: readonly string[]; readonly has: RegExp }
}

/** One of several ways to prove who we are. */
export interface SecretWay {
  readonly id: 'client_secret' | 'certificate'
  readonly fields: readonly FieldName[]
}

/** A step in the other system, before the form. */
export interface Preparation {
  readonly id: 'one' | 'two' | 'three' | 'four'
  /** Needed only where the integration does this. */
  readonly for?: Capability
  readonly link?: string
  /** The text to paste there. */
  readonly copies?: (capabilities: readonly Capability[]) => string
}

export interface Kind {
  readonly icon: IconName
  readonly guide: string
  readonly capabilities: readonly Capability[]
  readonly defaults: readonly Capability[]
  /** True if the service reads it by a schedule and by request; other kinds send their changes themselves. */
  readonly isRead: boolean
  /** The way to connect it: by a form, or on the machine that runs the service. */
  readonly way: 'form' | 'command'
  /** At most one of a workspace. */
  readonly isSingle?: boolean
  readonly command?: string
  readonly fields: readonly KindField[]
  readonly secretWays?: readonly SecretWay[]
  readonly preparations: readonly Preparation[]
}

const googleScope = (name: string): string => `https://www.googleapis.com/auth/${name}`

const googleScopes: Readonly<Record<Capability, readonly string[]>> = {
  directory: ['user', 'group', 'orgunit', 'domain'].map(name => `admin.directory.${name}.readonly`),
  channel: ['gmail.settings.basic', 'gmail.settings.sharing'],
}

const microsoftPermissions = 'User.Read.All, GroupMember.Read.All, ProfilePhoto.Read.All, Domain.Read.All'

const relayProcess =
  'SIGNOFF_RELAY_PORT=25 SIGNOFF_RELAY_HOST=0.0.0.0 SIGNOFF_RELAY_NAME=relay.example.com SIGNOFF_RELAY_TLS_CERT=/etc/ssl/relay.pem SIGNOFF_RELAY_TLS_KEY=/etc/ssl/relay.key'

/** In the order in which they are offered. */
const table = {
  google_workspace: {
    icon: 'mail',
    guide: '/docs/guides/directories/google',
    capabilities: ['directory', 'channel'],
    defaults: ['directory', 'channel'],
    isRead: true,
    way: 'form',
    fields: [
      {
        name: 'service_account_key',
        part: 'secret',
        control: 'file',
        isRequired: true,
        file: { types: ['.json', 'application/json'], has: /"type"\s*:\s*"service_account"/ },
      },
      { name: 'admin', part: 'settings', control: 'email', isRequired: true, placeholder: 'it@example.com' },
      {
        name: 'repair',
        part: 'settings',
        control: 'repair',
        isRequired: false,
        isLater: true,
        for: 'channel',
      },
    ],
    preparations: [
      { id: 'one', link: 'https://console.cloud.google.com/apis/library' },
      { id: 'two', link: 'https://console.cloud.google.com/iam-admin/serviceaccounts' },
      {
        id: 'three',
        link: 'https://admin.google.com/ac/owl/domainwidedelegation',
        copies: capabilities => capabilities.flatMap(name => googleScopes[name].map(googleScope)).join(','),
      },
      { id: 'four', link: 'https://admin.google.com/ac/roles' },
    ],
  },
  microsoft_365: {
    icon: 'building-2',
    guide: '/docs/guides/directories/entra',
    capabilities: ['directory', 'channel'],
    defaults: ['directory'],
    isRead: true,
    way: 'form',
    fields: [
      {
        name: 'tenant',
        part: 'settings',
        control: 'text',
        isRequired: true,
        for: 'directory',
        placeholder: '00000000-0000-0000-0000-000000000000',
      },
      {
        name: 'client_id',
        part: 'settings',
        control: 'text',
        isRequired: true,
        for: 'directory',
        placeholder: '00000000-0000-0000-0000-000000000000',
      },
      { name: 'client_secret', part: 'secret', control: 'password', isRequired: true, for: 'directory' },
      {
        name: 'certificate',
        part: 'secret',
        control: 'file',
        isRequired: true,
        for: 'directory',
        file: { types: ['.pem', '.crt', '.cer'], has: /-BEGIN CERTIFICATE-/ },
      },
      {
        name: 'private_key',
        part: 'secret',
        control: 'file',
        isRequired: true,
        for: 'directory',
        file: { types: ['.pem', '.key'], has: /-BEGIN [A-Z ]*PRIVATE KEY-/ },
      },
    ],
    secretWays: [
      { id: 'client_secret', fields: ['client_secret'] },
      { id: 'certificate', fields: ['certificate', 'private_key'] },
    ],
    preparations: [
      { id: 'one', for: 'directory', link: 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps' },
      { id: 'two', for: 'directory', copies: () => microsoftPermissions },
      { id: 'three', for: 'directory' },
    ],
  },
  ldap: {
    icon: 'server',
    guide: '/docs/guides/directories/ldap',
    capabilities: ['directory'],
    defaults: ['directory'],
    isRead: true,
    way: 'command',
    command:
      'npx signoff integrations add ldap --preset active_directory --url ldaps://dc1.example.com --bind-dn "CN=signoff,OU=Services,DC=example,DC=com" --password-file password.txt',
    fields: [{ name: 'password', part: 'secret', control: 'password', isRequired: true }],
    preparations: [],
  },
  scim: {
    icon: 'users',
    guide: '/docs/guides/directories/scim',
    capabilities: ['directory'],
    defaults: ['directory'],
    isRead: false,
    way: 'form',
    isSingle: true,
    fields: [],
    preparations: [],
  },
  csv: {
    icon: 'file-text',
    guide: '/docs/guides/directories/csv',
    capabilities: ['directory'],
    defaults: ['directory'],
    isRead: false,
    way: 'form',
    fields: [
      { name: 'id_column', part: 'settings', control: 'text', isRequired: false },
      { name: 'alias_column', part: 'settings', control: 'text', isRequired: false },
      { name: 'group_columns', part: 'settings', control: 'list', isRequired: false },
    ],
    preparations: [],
  },
  smtp_relay: {
    icon: 'send',
    guide: '/docs/guides/relay',
    capabilities: ['channel'],
    defaults: ['channel'],
    isRead: false,
    way: 'form',
    fields: [
      {
        name: 'next_hop',
        part: 'settings',
        control: 'text',
        isRequired: true,
        placeholder: 'smtp://smtp-relay.gmail.com:587?starttls=required',
      },
      {
        name: 'clients',
        part: 'settings',
        control: 'list',
        isRequired: true,
        placeholder: '203.0.113.7',
        // `;tenant=` is part of a text.
        separators: /[\s,]+/,
      },
      { name: 'domains', part: 'settings', control: 'list', isRequired: false, placeholder: 'example.com' },
      { name: 'mails', part: 'settings', control: 'mails', isRequired: false },
    ],
    preparations: [{ id: 'one', copies: () => relayProcess }, { id: 'two' }, { id: 'three' }],
  },
  webhook: {
    icon: 'webhook',
    guide: '/docs/guides/custom-channel',
    capabilities: ['channel'],
    defaults: ['channel'],
    isRead: false,
    way: 'form',
    fields: [
      {
        name: 'url',
        part: 'settings',
        control: 'text',
        isRequired: true,
        placeholder: 'https://mail.example.com/signatures',
      },
    ],
    preparations: [],
  },
} satisfies Readonly<Record<string, Kind>>

export type KindName = keyof typeof table
export const kinds: Readonly<Record<KindName, Kind>> = table
export const kindNames = Object.keys(kinds) as readonly KindName[]

export const isKnownKind = (kind: string): kind is KindName => Object.hasOwn(kinds, kind)

export const kindOf = (kind: string): Kind | undefined => (isKnownKind(kind) ? kinds[kind] : undefined)

interface Duties {
  readonly kind: string
  readonly capabilities: readonly Capability[]
}

/** Outlook alone: it needs no app registration, and has no people to read. */
export const isAddInOnly = ({ kind, capabilities }: Duties): boolean =>
  kind === 'microsoft_365' && capabilities.join() === 'channel'
