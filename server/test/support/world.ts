// Shared set-up of tests that go through the real app: people, fields, signatures and mailboxes.
import { type Answer, type TestApp, type TestOptions, testApp } from './app.ts'
import { connectReceiver, type Receiver, startReceiver, webhookSecret } from './outside/webhook.ts'
import { createSignature } from './signatures.ts'

/** A valid id that no record has. */
export const unknownId = '01a1e0a4-15b9-71f7-98af-f25f4b8294b4'

type BuiltInKey =
  | 'calendar_link'
  | 'company'
  | 'department'
  | 'email'
  | 'first_name'
  | 'job_title'
  | 'last_name'
  | 'mobile_phone'
  | 'profile_picture'
  | 'work_phone'

/** The ids of smart fields by their keys. Every workspace has the built-in ones. */
export type FieldIds = Record<BuiltInKey, string> & Record<string, string>

/** The record in a response. A refused request fails the test. */
function dataOf({ status, text, body }: Answer) {
  if (status >= 300) throw new Error(text)
  return body.data
}

export async function fieldIds(app: TestApp, key = app.key): Promise<FieldIds> {
  const { body } = await app.get('/v1/smart_fields?limit=100', { key })
  const entries = body.data.map((field: { key: string; id: string }) => [field.key, field.id])
  return Object.fromEntries(entries) as FieldIds
}

/** Creates a smart field that is not built in. Returns its id. */
export async function createField(app: TestApp, label: string): Promise<string> {
  return dataOf(await app.post('/v1/smart_fields', { smart_field: { label } })).id
}

/** Values by the ids of their smart fields. */
type Values = Readonly<Record<string, string | null>>

const smartFieldsOf = (values: Values) =>
  Object.entries(values).map(([smart_field_id, value]) => ({ smart_field_id, value }))

export interface TestTeammate {
  readonly id: string
  readonly email: string
  readonly emailId: string
}

export interface TeammateOptions {
  readonly email?: string
  readonly values?: Values
  /** The API key of another workspace. */
  readonly key?: string
}

let n = 0
export async function createTeammate(app: TestApp, options: TeammateOptions = {}): Promise<TestTeammate> {
  const { email = `person${++n}@example.com`, values = {}, key = app.key } = options
  const teammate = { email, smart_fields: smartFieldsOf(values) }
  const { id, emails } = dataOf(await app.post('/v1/teammates', { teammate }, { key }))
  return { id, email, emailId: emails[0].id }
}

/** Adds an address to a teammate. Returns its id. */
export async function createAlias(app: TestApp, teammate_id: string, address: string): Promise<string> {
  return dataOf(await app.post('/v1/emails', { email: { teammate_id, address } })).id
}

export const setValues = (app: TestApp, teammateId: string, values: Values): Promise<Answer> =>
  app.patch(`/v1/teammates/${teammateId}`, { teammate: { smart_fields: smartFieldsOf(values) } })

export const assign = (app: TestApp, signatureId: string, ...emailIds: string[]): Promise<Answer> =>
  app.post(`/v1/signatures/${signatureId}/emails`, { email_ids: emailIds })

export const publish = (app: TestApp, signatureId: string): Promise<Answer> =>
  app.post(`/v1/signatures/${signatureId}/publish`)

/** Creates a signature with recipients and publishes it. Returns its id. */
export async function createPublished(
  app: TestApp,
  signature: { readonly draft_content: object; readonly priority?: number },
  ...emailIds: string[]
): Promise<string> {
  const { id } = dataOf(await createSignature(app, signature))
  if (emailIds.length > 0) dataOf(await assign(app, id, ...emailIds))
  dataOf(await publish(app, id))
  return id
}

/** Creates a campaign. Returns its path. */
export async function createCampaign(app: TestApp, campaign: object = {}): Promise<string> {
  const { id } = dataOf(
    await app.post('/v1/marketing_campaigns', { marketing_campaign: { name: 'Fair', ...campaign } }),
  )
  return `/v1/marketing_campaigns/${id}`
}

/** Creates a campaign and schedules it: without a start time it is active at once. Returns its path. */
export async function startCampaign(app: TestApp, campaign: object): Promise<string> {
  const path = await createCampaign(app, campaign)
  dataOf(await app.post(`${path}/schedule`))
  return path
}

/** An app whose workspace delivers signatures to a fake customer system. */
export interface ConnectedApp {
  readonly app: TestApp
  readonly receiver: Receiver
  readonly integrationId: string
}

export async function connectedApp(options: TestOptions = {}): Promise<ConnectedApp> {
  const env = { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1', ...options.env }
  const app = await testApp({ ...options, env })
  const receiver = await startReceiver(() => webhookSecret)
  return { app, receiver, integrationId: await connectReceiver(app, receiver) }
}

/** A change of many teammates that is done: of none of them. */
export const createTeammateChange = (app: Pick<TestApp, 'patch'>) =>
  app.patch('/v1/teammates', { teammates: { ids: [unknownId], changes: { smart_fields: [] } } })

/** The Outlook add-in, for tests that walk all routes: the demo has none. */
export const connectOutlook = (app: Pick<TestApp, 'post'>) =>
  app.post('/v1/integrations', { integration: { kind: 'microsoft_365', capabilities: ['channel'] } })

/** Creates a webhook with a delivery, for tests that walk all routes: the demo has none. */
export async function createTestedWebhook(app: TestApp): Promise<void> {
  const webhook = { url: 'https://hooks.example.com/', events: ['webhook.test'] }
  const { id } = dataOf(await app.post('/v1/webhooks', { webhook }))
  dataOf(await app.post(`/v1/webhooks/${id}/test`))
}
