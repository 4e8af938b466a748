// Tools about who gets a signature, and why.
import { isRecord, type JsonRecord } from '../api.ts'
import { invalidArguments, ToolFailure } from '../failure.ts'
import { argumentsOf, portable, schemaOf } from '../schemas.ts'
import { listTool, type RouteCalls, type ToolDefinition } from '../tool.ts'
import { addresses, precedenceRoutes, wordsOfPrecedence } from './precedence.ts'

const listRecipients = listTool({
  name: 'list_recipients',
  title: 'Recipients of a signature',
  description:
    'The addresses that a signature reaches, each with the reason (by hand, by rule, by org unit or group, everybody) and the state of its installation. selection is the stored choice that set_recipients changes. An address can still show another signature with a lower priority: explain_signature.',
  route: 'signatures.recipients.list',
  names: { id: 'signature_id' },
  rows: 'recipients',
})

/** In the order in which they run. Each is idempotent, so the whole call can be repeated after a failure. */
const steps: readonly (readonly [argument: string, route: string, body: string])[] = [
  ['add_email_ids', 'signatures.recipients.add', 'email_ids'],
  ['add_entity_ids', 'signatures.entities.add', 'integration_entity_ids'],
  ['remove_email_ids', 'signatures.recipients.removeMany', 'email_ids'],
]
const changingRoutes = [
  'signatures.recipientRules.set',
  ...steps.map(([, route]) => route),
  'signatures.entities.remove',
]
const rules = ['conditions', 'everybody', 'assign_to_all_future_emails'] as const
const maxEntities = 10

const setRecipients: ToolDefinition = {
  name: 'set_recipients',
  title: 'Choose who gets a signature',
  description:
    'Chooses the recipients: everybody, conditions on smart fields (outer list: or, inner list: and), addresses by hand (email ids from list_teammates), org units and groups (ids from list_integrations). Only what you send changes; conditions are replaced as a whole. A published signature is installed for new recipients at once. The steps run one after the other: if one fails, done names those before it, and the whole call can be repeated.',
  effect: 'overwrites',
  routes: [...changingRoutes, ...precedenceRoutes],
  needs: changingRoutes,
  input: routeNamed => {
    const { properties } = argumentsOf(routeNamed('signatures.recipientRules.set'))
    const ids = (description: string) => ({ type: 'array', items: { type: 'string' }, description })
    return schemaOf(
      {
        signature_id: { type: 'string' },
        ...Object.fromEntries(rules.map(name => [name, portable(properties[name])])),
        add_email_ids: ids('At most 1,000.'),
        remove_email_ids: ids('At most 1,000.'),
        add_entity_ids: ids('Org units and groups.'),
        remove_entity_ids: { ...ids(`At most ${maxEntities}.`), maxItems: maxEntities },
      },
      ['signature_id'],
    )
  },
  async run({ signature_id: id, ...args }, calls) {
    const done: string[] = []
    let selection: unknown
    try {
      selection = await changeRecipients(calls, id, args, done)
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error
      throw new ToolFailure(
        { ...error.answer, done },
        `${error.message}\nDone before: ${done.join(', ') || 'nothing'}.`,
      )
    }
    if (done.length === 0)
      throw invalidArguments([
        { field: 'add_email_ids', code: 'missing', message: 'Send at least one change besides signature_id' },
      ])
    const reached = isRecord(selection)
      ? ` The signature reaches ${addresses(selection.matching_emails_count)}.`
      : ''
    const precedence = await wordsOfPrecedence(calls, id)
    return { summary: `Changed.${reached}${precedence}`, answer: { selection: selection ?? null, done } }
  },
}

/** Returns the choice after the last step. The route that removes an entity answers without it. */
async function changeRecipients(
  calls: RouteCalls,
  id: unknown,
  args: JsonRecord,
  done: string[],
): Promise<unknown> {
  let selection: unknown
  const sent = rules.filter(name => args[name] !== undefined)
  if (sent.length > 0) {
    const set = Object.fromEntries(sent.map(name => [name, args[name]]))
    selection = (await calls.json('signatures.recipientRules.set', { id, ...set })).data
    done.push(...sent)
  }
  for (const [argument, route, body] of steps) {
    if (args[argument] === undefined) continue
    const change = () => calls.json(route, { id, [body]: args[argument] })
    selection = (await withFieldNames(argument, body, change)).data
    done.push(argument)
  }
  const removed = args.remove_entity_ids
  if (removed === undefined) return selection
  if (!Array.isArray(removed) || removed.length > maxEntities)
    throw invalidArguments([
      {
        field: 'remove_entity_ids',
        code: 'too_many',
        message: `remove_entity_ids takes up to ${maxEntities} ids`,
      },
    ])
  for (const entity_id of removed) await calls.json('signatures.entities.remove', { id, entity_id })
  done.push('remove_entity_ids')
  return removed.length === 0 ? selection : undefined
}

/** The API names the field of its own body: the agent must read the name of its argument. */
async function withFieldNames(
  argument: string,
  body: string,
  call: () => Promise<JsonRecord>,
): Promise<JsonRecord> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error
    const rename = (text: string) => text.replaceAll(body, argument)
    throw new ToolFailure(JSON.parse(rename(JSON.stringify(error.answer))), rename(error.message))
  }
}

const explainSignature: ToolDefinition = {
  name: 'explain_signature',
  title: 'Which signature an address gets, and why',
  description:
    'Answers "why does this person have this signature?": the signature, variant and campaign that an address gets for a new mail, a reply or an internal mail, and every candidate with the reason why it was chosen or not. Name the address (ada@example.com) or give its email_id. With at it answers for another moment, for example the start of a campaign.',
  effect: 'reads',
  routes: ['emails.explainSignature', 'teammates.list'],
  needs: ['emails.explainSignature'],
  input: routeNamed => {
    const { properties } = argumentsOf(routeNamed('emails.explainSignature'), { names: { id: 'email_id' } })
    return schemaOf({
      ...properties,
      address: { type: 'string', description: 'Instead of email_id.' },
      html: { type: 'boolean', default: false, description: 'True: the HTML too, as it is installed.' },
    })
  },
  async run({ email_id, address, html: wantsHtml, ...args }, calls) {
    const id = email_id ?? (await emailIdOf(calls, address))
    const answer = await calls.json('emails.explainSignature', { id, ...args })
    const { html, ...data } = answer.data as JsonRecord
    const chosen = (data.candidates as readonly JsonRecord[]).find(candidate => candidate.chosen)
    return {
      summary: chosen
        ? `The address gets ${JSON.stringify(chosen.name)}: ${chosen.reason}`
        : 'The address gets no signature; candidates has the reasons.',
      answer: { ...answer, data: { ...data, email_id: id, ...(wantsHtml === true && { html }) } },
    }
  },
}

async function emailIdOf(calls: RouteCalls, address: unknown): Promise<string> {
  const problem = (code: string, message: string) => invalidArguments([{ field: 'address', code, message }])
  if (typeof address !== 'string' || address === '')
    throw problem('missing', 'address or email_id is required')
  const { data } = await calls.json('teammates.list', { search: address.slice(0, 200), limit: 100 })
  const emails = (data as readonly { readonly emails: readonly JsonRecord[] }[]).flatMap(
    ({ emails }) => emails,
  )
  const match = emails.find(email => String(email.address).toLowerCase() === address.toLowerCase())
  if (!match)
    throw problem('unknown_reference', 'address is no address of this workspace; see list_teammates')
  return String(match.id)
}

export const recipientTools: readonly ToolDefinition[] = [listRecipients, setRecipients, explainSignature]
