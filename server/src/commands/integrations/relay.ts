// `integrations add relay` and `integrations change relay`: the SMTP relay of a workspace.
import { randomBytes } from 'node:crypto'
import type { Config } from '#config.ts'
import { changeIntegration, createIntegration } from '#features/workspace/integrations/index.ts'
import { ownDomainsOf } from '#features/workspace/workspaces/index.ts'
import { type ConnectorTarget, connectorSetup, connectorTargets, hopAccessOf } from '#relay/index.ts'
import { CommandError, fileOfOption, print, type WorkspaceOption } from '../context.ts'
import { asId, changesOf, onlyGiven, withIntegrations } from './integrations.ts'

interface RelayOptions extends WorkspaceOption {
  readonly name?: string
  readonly nextHop?: string
  readonly client?: readonly string[]
  readonly domain?: readonly string[]
  readonly mails?: readonly string[]
  readonly stampTimeout?: number
  readonly dkimDomain?: string
  readonly dkimSelector?: string
  readonly dkimKeyFile?: string
  readonly printExchange?: boolean
  readonly printGoogle?: boolean
  readonly printPostfix?: boolean
}

const settingsIn = (options: RelayOptions): Record<string, unknown> =>
  onlyGiven({
    next_hop: options.nextHop,
    clients: options.client,
    domains: options.domain,
    mails: options.mails,
    stamp_timeout_ms: options.stampTimeout,
  })

async function secretIn({ dkimDomain, dkimSelector, dkimKeyFile }: RelayOptions): Promise<object> {
  const given = [dkimDomain, dkimSelector, dkimKeyFile]
  if (given.every(value => value === undefined)) return {}
  if (given.some(value => value === undefined))
    throw new CommandError('--dkim-domain, --dkim-selector and --dkim-key-file must be given together.')
  const private_key = await fileOfOption('--dkim-key-file', dkimKeyFile ?? '')
  return { secret: { dkim: { domain: dkimDomain, selector: dkimSelector, private_key } } }
}

const isWanted: Readonly<Record<ConnectorTarget, (options: RelayOptions) => boolean>> = {
  exchange: ({ printExchange }) => printExchange === true,
  google: ({ printGoogle }) => printGoogle === true,
  postfix: ({ printPostfix }) => printPostfix === true,
}

const factsOf = (config: Config, domains: readonly string[]) => ({
  relayHost: hopAccessOf(config).name,
  relayPort: config.relayPort ?? 2_525,
  instance: new URL(config.publicUrl).host,
  domains,
  secret: randomBytes(24).toString('base64url'),
})

/** With `--print-…` it connects nothing: the printed commands begin with the one that does. */
export async function addRelay(options: RelayOptions): Promise<void> {
  const target = connectorTargets.find(name => isWanted[name](options))
  if (!target && (options.nextHop === undefined || options.client === undefined))
    throw new CommandError(
      'Give --next-hop and --client; or --print-exchange, --print-google or --print-postfix to see the whole set-up.',
    )
  const secret = await secretIn(options)
  await withIntegrations(options.workspace, async ({ db, by, parts }) => {
    if (target) {
      const domains = options.domain ?? (await ownDomainsOf(db, by.workspaceId))
      print(connectorSetup(target, factsOf(parts.config, domains)))
      return
    }
    const input = { kind: 'smtp_relay', settings: settingsIn(options), ...secret }
    const named = { ...input, ...(options.name !== undefined && { name: options.name }) }
    const { id } = await createIntegration(db, by, named, parts.integrations)
    print(`Connected as ${id}. Running relays take it within 5 seconds.`)
    print(`Try it with \`signoff integrations test ${id}\`.`)
  })
}

/** `--domain ''` brings the domains of the workspace back, and so on. */
export async function changeRelay(id: string, options: RelayOptions): Promise<void> {
  const settings = changesOf(settingsIn(options))
  const secret = await secretIn(options)
  await withIntegrations(options.workspace, async ({ db, by, parts }) => {
    const patch = { settings, ...secret, ...(options.name !== undefined && { name: options.name }) }
    await changeIntegration(db, by, asId(id), patch, parts.integrations)
    print(
      `Changed. Running relays take it within 5 seconds. Try it with \`signoff integrations test ${id}\`.`,
    )
  })
}
