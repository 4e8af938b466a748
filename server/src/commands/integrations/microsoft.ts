// `integrations add microsoft`: an app registration that reads people and groups of Microsoft Entra.
import { createIntegration } from '#features/workspace/integrations/index.ts'
import { CommandError, fileOfOption, print, type WorkspaceOption } from '../context.ts'
import { baseAddress, directoryOptions, withIntegrations } from './integrations.ts'

interface MicrosoftOptions extends WorkspaceOption {
  readonly tenant: string
  readonly clientId: string
  readonly secretFile?: string
  readonly certificateFile?: string
  readonly keyFile?: string
  readonly name: string
  readonly cloud?: string
  readonly extraAttribute?: readonly string[]
  readonly graphApi?: string
  readonly loginApi?: string
  readonly drive: boolean
  readonly graceDays?: number
}

/** A file can hold both the certificate and its key. */
async function credentialOf(options: MicrosoftOptions): Promise<Record<string, string>> {
  const { secretFile, certificateFile, keyFile } = options
  if ((secretFile === undefined) === (certificateFile === undefined))
    throw new CommandError('Name either --secret-file or --certificate-file.')
  if (secretFile !== undefined)
    return { client_secret: (await fileOfOption('--secret-file', secretFile)).trim() }
  const certificate = await fileOfOption('--certificate-file', certificateFile ?? '')
  const key = keyFile === undefined ? certificate : await fileOfOption('--key-file', keyFile)
  return { certificate, private_key: key }
}

export async function addMicrosoft(options: MicrosoftOptions): Promise<void> {
  const { tenant, clientId, name, cloud, extraAttribute } = options
  const settings = {
    tenant,
    client_id: clientId,
    ...(cloud !== undefined && { cloud }),
    ...(extraAttribute !== undefined && { extra_attributes: [...extraAttribute] }),
    ...baseAddress('--graph-api', 'graph_api', options.graphApi),
    ...baseAddress('--login-api', 'login_api', options.loginApi),
    ...directoryOptions(options),
  }
  const secret = await credentialOf(options)
  await withIntegrations(options.workspace, async ({ db, by, parts }) => {
    const input = { kind: 'microsoft_365', name, settings, secret }
    const { id } = await createIntegration(db, by, input, parts.integrations)
    print(`Connected as ${id}.`)
    print(`Try its permissions with \`signoff integrations test ${id}\`, then read it with \`sync\`.`)
    print('The secret is stored sealed; the file is not needed any more.')
  })
}
