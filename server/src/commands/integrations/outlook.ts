// The Outlook add-in on the command line: connect it, and replace or revoke its token.

import { createToken, listTokens, revokeToken } from '#features/delivery/outlook/index.ts'
import { createIntegration } from '#features/workspace/integrations/index.ts'
import { uuid } from '#kernel/api/validation.ts'
import { CommandError, print, table, type WorkspaceOption } from '../context.ts'
import { baseAddress, withIntegrations } from './integrations.ts'

interface OutlookOptions extends WorkspaceOption {
  readonly name: string
  readonly signIn?: boolean
  readonly tenant?: string
  readonly clientId?: string
  readonly tokenFallback?: boolean
  readonly sharedAddress?: readonly string[]
  readonly loginApi?: string
}

const uploadHint =
  'Open it in a browser, save it as a file, and upload the file under Integrated apps of the Microsoft 365 admin centre: see docs/connect/outlook.md.'

export const addOutlook = (options: OutlookOptions): Promise<void> =>
  withIntegrations(options.workspace, async ({ db, by, parts }) => {
    const { name, signIn, tenant, clientId, tokenFallback, sharedAddress } = options
    const settings = {
      ...(signIn && { add_in_auth: 'naa' }),
      ...(tenant !== undefined && { tenant }),
      ...(clientId !== undefined && { add_in_client_id: clientId }),
      ...(tokenFallback && { add_in_token_fallback: true }),
      ...(sharedAddress !== undefined && { add_in_shared_addresses: [...sharedAddress] }),
      ...baseAddress('--login-api', 'login_api', options.loginApi),
    }
    const input = { kind: 'microsoft_365', name, settings, capabilities: ['channel' as const] }
    const { id, reveals } = await createIntegration(db, by, input, parts.integrations)
    const { manifest_url: manifest } = reveals as { readonly manifest_url: string }
    print(`Connected as ${id}. The manifest of the add-in is at\n\n  ${manifest}\n`)
    print(uploadHint)
    if (!parts.config.publicUrl.startsWith('https://'))
      print('Outlook loads add-ins by https only: set SIGNOFF_PUBLIC_URL to an https address first.')
  })

const asId = (id: string, what: string): string => {
  if (uuid.test(id)) return id.toLowerCase()
  throw new CommandError(`${id} is not the id of ${what}.`)
}

export const printTokens = (id: string, options: WorkspaceOption): Promise<void> =>
  withIntegrations(options.workspace, async ({ db, by, parts }) => {
    const tokens = await listTokens(db, by.workspaceId, asId(id, 'an integration'), parts.outlookTokens)
    const rows = tokens.map(token => [
      token.id,
      String(token.number),
      token.last_used_at ?? 'never',
      token.manifest_url,
    ])
    print(table([['id', 'number', 'last used', 'manifest'], ...rows]))
  })

export const rotateToken = (id: string, options: WorkspaceOption): Promise<void> =>
  withIntegrations(options.workspace, async ({ db, by, parts }) => {
    const token = await createToken(db, by, asId(id, 'an integration'), parts.outlookTokens)
    print(`The new manifest is at\n\n  ${token.manifest_url}\n`)
    print('Both tokens work. Update the app in the admin centre, and revoke the old token when it is unused:')
    print(`  signoff integrations outlook tokens ${id}`)
    print(`  signoff integrations outlook revoke ${id} <token>`)
  })

export const revokeOldToken = (id: string, tokenId: string, options: WorkspaceOption): Promise<void> =>
  withIntegrations(options.workspace, async ({ db, by }) => {
    await revokeToken(db, by, asId(id, 'an integration'), asId(tokenId, 'a token'))
    print('Revoked. Running processes obey within 5 seconds.')
  })
