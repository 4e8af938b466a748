// The groups of operations, by the first segment of their path, in the order of the document.
import type { Route } from '#kernel/api/routes.ts'

interface Tag {
  readonly name: string
  readonly description: string
}

const tags: Readonly<Record<string, Tag>> = {
  workspace: {
    name: 'Workspace',
    description: 'The company: its plan, its seats, its id for event tracking.',
  },
  teammates: { name: 'Teammates', description: 'The people who have signatures, and their values.' },
  imports: { name: 'Imports', description: 'Tables of people: upload, preview, apply, report.' },
  emails: { name: 'Emails', description: 'Addresses and aliases of teammates, and what each of them shows.' },
  signatures: {
    name: 'Signatures',
    description: 'Signatures from draft to mailbox: content, recipients, variants, versions, previews.',
  },
  publication_requests: {
    name: 'Publication requests',
    description: 'What managers ask to publish, for owners and admins to approve or reject.',
  },
  installations: { name: 'Installations', description: 'What is on its way to mailboxes, or has arrived.' },
  marketing_campaigns: {
    name: 'Campaigns',
    description: 'Banners that signatures carry for a time, for the people whom their conditions choose.',
  },
  smart_fields: { name: 'Smart fields', description: 'The values that signatures fill in for each person.' },
  folders: { name: 'Folders', description: 'Folders that keep signatures in order.' },
  assets: { name: 'Assets', description: 'Pictures: logos, portraits, banners.' },
  content: { name: 'Content', description: 'Previews of content that is not stored.' },
  content_schema: { name: 'Content', description: 'Previews of content that is not stored, and its schema.' },
  analytics: { name: 'Analytics', description: 'Views, clicks and the events that followed them.' },
  integrations: { name: 'Integrations', description: 'Directories and mail systems that are connected.' },
  integration_entities: {
    name: 'Integrations',
    description: 'Directories and mail systems that are connected, with their org units and groups.',
  },
  sync_runs: {
    name: 'Integrations',
    description: 'Directories and mail systems that are connected, with their org units, groups and runs.',
  },
  financial_documents: { name: 'Billing', description: 'Invoices. A self-hosted service has none.' },
  feedback: { name: 'Feedback', description: 'Messages to the operator of this service.' },
  api_keys: { name: 'API keys', description: 'Keys of this workspace and their scopes.' },
  sso_connections: {
    name: 'Single sign-on',
    description: 'Identity providers of the workspace: who is admitted, with which role.',
  },
  audit_log: { name: 'Audit log', description: 'Who changed what, and when.' },
}

const segmentOf = ({ path }: Route): string => path.split('/')[2] ?? ''

/** A new group is readable without an entry above. */
function tagOf(route: Route): Tag {
  const segment = segmentOf(route)
  const words = segment.replaceAll('_', ' ')
  const name = `${words.charAt(0).toUpperCase()}${words.slice(1)}`
  return tags[segment] ?? { name, description: `Operations on ${words}.` }
}

export const tagNameOf = (route: Route): string => tagOf(route).name

/** One entry per name; the last description of a name is the fullest. */
export const tagsOf = (routes: readonly Route[]): readonly Tag[] => [
  ...new Map(routes.map(tagOf).map(tag => [tag.name, tag])).values(),
]
