// `integrations add google`: a service account that writes signatures into Gmail, reads people and groups, or both.
import { readFile } from 'node:fs/promises'
import {
  createGoogleTokens,
  googleTokenUri,
  readServiceAccount,
  type ServiceAccount,
} from '#connectors/google/account.ts'
import { gmailScopes } from '#connectors/google/gmail.ts'
import { outcomeOfGoogleError } from '#connectors/google/gmail-refusals.ts'
import { createGoogleClient } from '#connectors/google/request.ts'
import { type Capability, createIntegration } from '#features/workspace/integrations/index.ts'
import { isEmailAddress } from '#kernel/api/validation.ts'
import { CommandError, print, type WorkspaceOption } from '../context.ts'
import { baseAddress, directoryOptions, withIntegrations } from './integrations.ts'

interface GoogleOptions extends WorkspaceOption {
  readonly keyFile: string
  readonly admin: string
  readonly name: string
  readonly check?: boolean
  readonly api?: string
  readonly directoryApi?: string
  readonly tokenUri?: string
  /** Also reads people and groups. */
  readonly directory?: boolean
  /** False: writes no signatures. */
  readonly channel: boolean
  readonly drive: boolean
  readonly graceDays?: number
  readonly repair?: string
}

const scopes = Object.values(gmailScopes)

export async function addGoogle(options: GoogleOptions): Promise<void> {
  const { keyFile, admin, name, api, tokenUri } = options
  if (!isEmailAddress(admin)) throw new CommandError(`--admin must be an email address; not ${admin}.`)
  const settings = {
    admin,
    ...baseAddress('--api', 'api', api),
    ...baseAddress('--directory-api', 'directory_api', options.directoryApi),
    ...baseAddress('--token-uri', 'token_uri', tokenUri),
    ...(options.repair !== undefined && { repair: options.repair }),
  }
  const key = await readFile(keyFile, 'utf8').catch(() => {
    throw new CommandError(`The key file ${keyFile} cannot be read.`)
  })
  const account = accountIn(key, keyFile)
  if (options.check && options.channel) await checkDelegation(account, admin, tokenUri)
  const capabilities: Capability[] = [
    ...(options.directory ? (['directory'] as const) : []),
    ...(options.channel ? (['channel'] as const) : []),
  ]
  if (capabilities.length === 0) throw new CommandError('--no-channel needs --directory.')
  await withIntegrations(options.workspace, async ({ db, by, parts }) => {
    const input = {
      kind: 'google_workspace',
      name,
      capabilities,
      settings: { ...settings, ...directoryOptions(options) },
      secret: { service_account_key: key },
    }
    const { id } = await createIntegration(db, by, input, parts.integrations)
    print(`Connected as ${id}.`)
    if (options.channel) print(`Signatures are written into Gmail by ${account.clientEmail}.`)
    if (options.directory)
      print(`Try its permissions with \`signoff integrations test ${id}\`, then read it with \`sync\`.`)
    print('The key is stored sealed; the file is not needed any more.')
  })
}

function accountIn(key: string, keyFile: string): ServiceAccount {
  try {
    return readServiceAccount(key)
  } catch (error) {
    throw new CommandError(`The key file ${keyFile} ${(error as Error).message}.`)
  }
}

/** Throws unless Google lets this account act for the administrator, with all scopes that installing needs. */
async function checkDelegation(
  account: ServiceAccount,
  admin: string,
  tokenUri = googleTokenUri,
): Promise<void> {
  const request = { account, user: admin, scopes, tokenUri, signal: AbortSignal.timeout(15_000) }
  const token = await createGoogleTokens(createGoogleClient())
    .get(request)
    .catch(error => {
      throw new CommandError(
        `Google cannot be reached: ${error instanceof Error ? error.message : error}. Nothing was stored.`,
      )
    })
  if (typeof token === 'string') return print(`Google lets ${account.clientEmail} act for ${admin}.`)
  const outcome = outcomeOfGoogleError(token, false)
  throw new CommandError(
    `Google does not let ${account.clientEmail} act for ${admin} (${outcome.ok ? '' : outcome.message}). Nothing was stored.\n` +
      `Domain-wide delegation must be given to the account's client id for these scopes:\n  ${scopes.join('\n  ')}`,
  )
}
