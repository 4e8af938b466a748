// Records the examples of openapi.json from a running service that holds the demo and has a mail server:
//   npx node server/test/support/write-examples.ts http://localhost:3000 <API key> <cookie> <cookie of a manager>
// The cookie (`signoff=…`) is that of the owner, who is signed in. In the end an admin of the demo is the owner.
// Long texts and lists are cut: an example shows the shape. It leaves the resources that it creates behind.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HOTP, Secret } from 'otpauth'
import { SoftwareAuthenticator } from './authenticator.ts'

const [, , base = '', key = '', cookie = '', managerCookie = ''] = process.argv
// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Json = any

const examples: Record<string, { request?: Json; answer?: Json; accepted?: Json }> = {}
const maxText = 240
/** Of lists: an answer can hold two trees of blocks, of which the first branch shows the shape. */
const maxItems = { request: 2, answer: 1 }

/** Bytes in base64url have a pattern in their schema, which a cut text would not match. */
const isBytes = (text: string): boolean => /^[\w-]+$/.test(text)

const shortenText = (text: string): string =>
  text.length <= maxText || isBytes(text) ? text : `${text.slice(0, maxText)}…`

function shorten(value: Json, limit: number): Json {
  if (typeof value === 'string') return shortenText(value)
  if (Array.isArray(value)) return value.slice(0, limit).map(item => shorten(item, limit))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shorten(item, limit)]))
}

/** The examples are public: no secret, no address of this machine. */
const published = (value: Json, kind: keyof typeof maxItems): Json =>
  JSON.parse(
    JSON.stringify(shorten(value, maxItems[kind]))
      .replaceAll(/sgn_\w{10,}/g, `sgn_${'0'.repeat(46)}`)
      .replaceAll(/whsec_[\w+/=]{20,}/g, `whsec_${'0'.repeat(43)}=`)
      .replaceAll(/[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}(?![\w-])/g, '0000-0000-0000-0000')
      .replaceAll(/\b[A-Z2-7]{32}\b/g, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
      .replaceAll(/data:image\/png;base64,[\w+/=]+…?/g, 'data:image/png;base64,iVBORw0KGgo…')
      .replaceAll(base, 'https://signoff.example.com'),
  )

/** Changes of second factors give the session a new cookie; the challenge needs the one of the browser. */
let session = cookie
let browser = ''

const isPersonal = (path: string): boolean => /^\/v1\/(sessions|workspaces|me\/)/.test(path)

async function send(
  method: string,
  path: string,
  request?: Json,
  cookies = isPersonal(path) ? `${session}; ${browser}` : undefined,
): Promise<Json> {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(cookies === undefined
        ? { authorization: `Bearer ${key}` }
        : { cookie: cookies, 'sec-fetch-site': 'same-origin' }),
      ...(request !== undefined && { 'content-type': 'application/json' }),
    },
    ...(request !== undefined && { body: JSON.stringify(request) }),
  })
  const text = await response.text()
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    if (pair.startsWith('signoff=')) session = pair
    else browser = pair
  }
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`)
  return response.headers.get('content-type')?.includes('application/json') ? JSON.parse(text) : undefined
}

/** In the demo, managers need an approval to publish. */
const sendAsManager = (path: string, request: Json) => send('POST', path, request, managerCookie)

/** Returns the data of the answer. */
async function record(name: string, method: string, path: string, request?: Json): Promise<Json> {
  const answer = await send(method, path, request)
  examples[name] = {
    ...(request !== undefined && { request: published(request, 'request') }),
    ...(answer !== undefined && { answer: published(answer, 'answer') }),
  }
  return answer?.data
}

/** The answer with 202 of a route whose other answer, with 200, was recorded before. */
function recordAccepted(name: string, answer: Json): Json {
  examples[name] = { ...examples[name], accepted: published(answer, 'answer') }
  return answer.data
}

const get = (name: string, path: string) => record(name, 'GET', path)
const post = (name: string, path: string, request?: Json) => record(name, 'POST', path, request)
const patch = (name: string, path: string, request: Json) => record(name, 'PATCH', path, request)
const del = (name: string, path: string) => record(name, 'DELETE', path)

/** The public address of a picture that the service itself serves. */
const picture = async (): Promise<string> => (await send('GET', '/v1/assets?limit=1')).data[0].id

const text = (value: string, more: object = {}) => ({
  type: 'text',
  tokens: [{ type: 'textToken', value }],
  ...more,
})
const banner = {
  type: 'stack',
  children: [
    {
      type: 'button',
      tokens: [{ value: 'Meet us in Hamburg' }],
      href: { text: 'https://northbean.example/fair' },
    },
  ],
}
const mail = `robin.reyes.${Date.now().toString(36)}@northbean.example`

/** The service must have the host name `localhost`: the authenticator in software signs for it. */
async function recordSecondFactors(): Promise<void> {
  const { secret } = await post('me.beginTotp', '/v1/me/totp')
  const counter = Math.floor(Date.now() / 30_000)
  await post('me.confirmTotp', '/v1/me/totp/confirm', {
    code: HOTP.generate({ secret: Secret.fromBase32(secret), counter }),
  })
  await post('me.createRecoveryCodes', '/v1/me/recovery_codes')
  const options = await post('me.beginPasskey', '/v1/me/passkeys/options')
  const { origin } = new URL(base)
  const passkey = await post('me.createPasskey', '/v1/me/passkeys', {
    name: 'Laptop',
    credential: new SoftwareAuthenticator().create(options, { origin }),
  })
  await get('me.listSecondFactors', '/v1/me/second_factors')
  await patch('me.updatePasskey', `/v1/me/passkeys/${passkey.id}`, { name: 'Work laptop' })
  await send('DELETE', `/v1/me/passkeys/${passkey.id}`)
  await send('DELETE', '/v1/me/totp')
}

async function recordWorkspace(): Promise<void> {
  await get('workspace.get', '/v1/workspace')
  await get('workspace.checklist', '/v1/workspace/checklist')
  await patch('workspace.updateChecklist', '/v1/workspace/checklist', { dismissed: true })
  await get('me.get', '/v1/me')
  await get('sessions.list', '/v1/sessions?limit=1')
  const { name } = await get('me.getAccount', '/v1/me/account')
  await patch('me.updateAccount', '/v1/me/account', { account: { name, locale: 'en' } })
  await recordSecondFactors()
  await patch('workspace.update', '/v1/workspace', {
    workspace: { domains: ['northbean.example'], time_zone: 'Europe/Berlin', locale: 'en-GB' },
  })
  await get('brand.get', '/v1/workspace/brand')
  await patch('brand.update', '/v1/workspace/brand', {
    brand: { colors: { primary: '#7a4a21' } },
  })
  await get('templates.list', '/v1/templates')
  await get('templates.get', '/v1/templates/corporate-classic')
  await post('templates.fill', '/v1/templates/corporate-classic/fill', {
    brand: { colors: { primary: '#0b5cad' } },
  })
  await get('auditLog.list', '/v1/audit_log?limit=1')
  await post('feedback.send', '/v1/feedback', {
    category: 'question',
    message: 'Can a campaign reach contractors only?',
    tool_name: 'marketingCampaigns.create',
  })
  for (const [name, path] of [
    ['integrations', 'integrations'],
    ['integrationEntities', 'integration_entities'],
    ['financialDocuments', 'financial_documents'],
  ] as const) {
    const [first] = await get(`${name}.list`, `/v1/${path}?limit=1`)
    await get(`${name}.get`, `/v1/${path}/${first.id}`)
  }
}

/** The provider does not exist: the example of the check shows what a failed step says. */
async function recordSso(): Promise<void> {
  const connection = await post('ssoConnections.create', '/v1/sso_connections', {
    sso_connection: {
      kind: 'oidc',
      name: 'Northbean staff',
      issuer: 'https://login.northbean.example',
      client_id: 'signoff',
      client_secret: 'secret-of-the-client',
      allowed_domains: ['northbean.example'],
      just_in_time: true,
      group_claim: 'groups',
      group_roles: [{ group: 'signoff-admins', role: 'admin' }],
    },
  })
  const path = `/v1/sso_connections/${connection.id}`
  await get('ssoConnections.list', '/v1/sso_connections?limit=1')
  await get('ssoConnections.get', path)
  await patch('ssoConnections.update', path, { sso_connection: { default_role: 'manager' } })
  await post('ssoConnections.test', `${path}/test`)
  await del('ssoConnections.delete', path)
  await get('signInPolicy.get', '/v1/workspace/sign_in_policy')
  await patch('signInPolicy.update', '/v1/workspace/sign_in_policy', {
    sign_in_policy: { second_factor_required: false },
  })
}

async function recordMembers(): Promise<void> {
  const member = await post('members.create', '/v1/members', {
    member: { email: `member.${mail}`, name: 'Robin Reyes', role: 'member' },
  })
  const path = `/v1/members/${member.id}`
  await get('members.list', '/v1/members?limit=1')
  await get('members.get', path)
  await post('members.resend', `${path}/resend`)
  await patch('members.update', path, { member: { role: 'manager' } })
  await del('members.delete', path)
  await post('workspaces.create', '/v1/workspaces', { workspace: { name: 'Northbean Roastery' } })
  const { data } = await send('GET', '/v1/members?limit=100')
  const admin = data.find(({ role, status }: Json) => role === 'admin' && status === 'active')
  await post('members.makeOwner', `/v1/members/${admin.id}/make_owner`)
}

/** The owner of a personal page of the demo asks for a job title. Returns the id of the change that waits. */
async function requestTitle(title: string): Promise<string> {
  const person = (await send('GET', '/v1/teammates?search=bea.fontaine')).data[0]
  const fields: Json[] = (await send('GET', '/v1/smart_fields?limit=100')).data
  const { url } = (await send('GET', `/v1/emails/${person.emails[0].id}/personal_page`)).data
  const field = fields.find(({ key }) => key === 'job_title').id
  await fetch(`${url}/values`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ [`field-${field}`]: title }),
    redirect: 'manual',
  })
  return (await send('GET', `/v1/profile_changes?status=pending&teammate_id=${person.id}`)).data[0].id
}

async function recordProfileChanges(): Promise<void> {
  const path = async (title: string) => `/v1/profile_changes/${await requestTitle(title)}`
  await get('profileChanges.list', '/v1/profile_changes?status=pending&limit=1')
  await get('profileChanges.get', await path('Key Account Lead'))
  await get('profileChanges.preview', `${await path('Key Account Lead')}/preview`)
  await post('profileChanges.approve', `${await path('Key Account Manager')}/approve`)
  await post('profileChanges.reject', `${await path('Director of Key Accounts')}/reject`, {
    reason: 'Job titles follow the list of the HR department.',
  })
  await del('profileChanges.withdraw', await path('Vice President'))
  // The API key needs no approval. The answer to a member who needs one has the shape of any profile change.
  examples['teammates.deleteImage'] = { answer: examples['profileChanges.get']?.answer }
}

async function recordChecklist(): Promise<void> {
  await get('workspace.checklist', '/v1/workspace/checklist')
  await patch('workspace.updateChecklist', '/v1/workspace/checklist', { checklist: { dismissed: false } })
}

async function recordImport(): Promise<void> {
  const table = `E-Mail;Vorname;Nachname;Position\nnoor.${mail};Noor;Haddad;Roaster\nnot an address;Kim;Li;\n`
  const { id } = await post('imports.create', '/v1/imports', {
    import: { file_base64: Buffer.from(table).toString('base64'), file_name: 'people.csv' },
  })
  const path = `/v1/imports/${id}`
  const mapping = { 'E-Mail': 'email', Vorname: 'first_name', Nachname: 'last_name', Position: 'job_title' }
  await post('imports.preview', `${path}/preview`, { mapping })
  await post('imports.apply', `${path}/apply`, { mapping, mode: 'upsert' })
  while ((await get('imports.get', path)).state === 'running')
    await new Promise(next => setTimeout(next, 200))
  await get('imports.list', '/v1/imports?limit=1')
  await send('GET', `${path}/report`)
  await del('imports.delete', path)
}

/** The demo has one request that waits, and one that was rejected. */
async function recordPublicationRequests(): Promise<void> {
  const path = '/v1/publication_requests'
  const [pending] = await get('publicationRequests.list', `${path}?status=pending&limit=1`)
  await get('publicationRequests.get', `${path}/${pending.id}`)
  await post('publicationRequests.approve', `${path}/${pending.id}/approve`, { force: false })
  const [rejected] = (await send('GET', `${path}?status=rejected`)).data
  await get('publicationRequests.reject', `${path}/${rejected.id}`)
  examples['publicationRequests.reject'] = {
    request: { reason: rejected.reason },
    ...examples['publicationRequests.reject'],
  }
}

/** Runs at the end: a job changes the people of requests that select more than 1,000. */
async function recordChangesOfMany(): Promise<void> {
  const season = (number: number) => ({
    email: `season-${number}.${mail}`,
    smart_fields: [{ smart_field: 'department', value: 'Seasonal help' }],
  })
  for (const start of [0, 500, 1_000])
    await send('POST', '/v1/teammates/import', {
      teammates: Array.from({ length: 500 }, (_, index) => season(start + index)),
    })
  const change = {
    filter: { smart_field: 'department', smart_field_value: 'Seasonal help' },
    changes: { smart_fields: [{ smart_field: 'job_title', value: 'Picker' }] },
  }
  const { token } = await patch('teammates.updateMany', '/v1/teammates', {
    teammates: { ...change, dry_run: true },
  })
  const answer = await send('PATCH', '/v1/teammates', { teammates: { ...change, token } })
  const { id } = recordAccepted('teammates.updateMany', answer)
  await get('teammates.getChange', `/v1/teammates/changes/${id}`)
}

async function recordPeople(): Promise<{ teammate: Json; emailId: string }> {
  const values = [
    { smart_field: 'first_name', value: 'Robin' },
    { smart_field: 'last_name', value: 'Reyes' },
    { smart_field: 'job_title', value: 'Green Coffee Buyer' },
    { smart_field: 'work_phone', value: '+44 20 7946 0171' },
  ]
  const teammate = await post('teammates.create', '/v1/teammates', {
    teammate: { email: mail, smart_fields: values },
  })
  const path = `/v1/teammates/${teammate.id}`
  await get('teammates.list', '/v1/teammates?limit=1')
  await get('teammates.get', path)
  const { change_id } = await patch('teammates.updateMany', '/v1/teammates', {
    teammates: {
      ids: [teammate.id],
      changes: { smart_fields: [{ smart_field: 'company', value: 'Example Ltd' }] },
    },
  })
  await get('teammates.listChanges', '/v1/teammates/changes?limit=1')
  await get('teammates.getChange', `/v1/teammates/changes/${change_id}`)
  await patch('teammates.update', path, {
    teammate: { smart_fields: [{ smart_field: 'job_title', value: 'Head of Sourcing' }] },
  })
  await post('teammates.import', '/v1/teammates/import', {
    teammates: [{ email: mail, smart_fields: [{ smart_field: 'mobile_phone', value: '+44 7700 900171' }] }],
  })
  const fields = (await send('GET', '/v1/smart_fields?limit=100')).data
  const portrait = fields.find((field: Json) => field.key === 'profile_picture').id
  await record('teammates.setImage', 'PUT', `${path}/images/${portrait}`, {
    image: { asset_id: await picture(), crop: { x: 0.1, y: 0, width: 0.8, height: 1 } },
  })
  await post('teammates.deactivate', '/v1/teammates/deactivate', { ids: [teammate.id] })
  await post('teammates.activate', '/v1/teammates/activate', { ids: [teammate.id] })
  await get('teammates.listPictureFetches', '/v1/teammates/picture_fetches?limit=1')
  const alias = await post('emails.create', '/v1/emails', {
    email: { teammate_id: teammate.id, address: `r.${mail}` },
  })
  await get('emails.list', '/v1/emails?limit=1')
  await get('emails.get', `/v1/emails/${alias.id}`)
  await patch('emails.update', `/v1/emails/${alias.id}`, { email: { primary: true } })
  const { id: emailId } = (await send('GET', `/v1/emails?teammate_id=${teammate.id}`)).data.find(
    (email: Json) => !email.primary,
  )
  await patch('emails.update', `/v1/emails/${emailId}`, { email: { primary: true } })
  return { teammate, emailId }
}

async function recordSignature(emailId: string): Promise<string> {
  const { id } = await post('signatures.create', '/v1/signatures', {
    signature: { name: 'Sourcing', template_id: 'corporate-classic' },
  })
  const path = `/v1/signatures/${id}`
  await get('signatures.list', '/v1/signatures?limit=1')
  await get('signatures.get', path)
  await patch('signatures.update', path, { signature: { name: 'Sourcing team', priority: 0 } })
  await post('signatures.recipients.add', `${path}/emails`, { email_ids: [emailId] })
  await get('signatures.recipientRules.get', `${path}/recipient_rules`)
  await record('signatures.recipientRules.set', 'PUT', `${path}/recipient_rules`, {
    conditions: [[{ smart_field: 'department', values: ['Sales'] }]],
  })
  await post('recipientRules.preview', '/v1/recipient_rules/preview', {
    conditions: [[{ smart_field: 'department', values: ['Sales'] }]],
  })
  await get('signatures.check', `${path}/check`)
  await post('signatures.publish', `${path}/publish`, { force: false })
  recordAccepted('signatures.publish', await sendAsManager(`${path}/publish`, { force: false }))
  await get('signatures.recipients.list', `${path}/emails?limit=1`)
  await get('signatures.html', `${path}/html?email_id=${emailId}`)
  await get('signatures.preview', `${path}/preview?email_id=${emailId}`)
  await post('signatures.sendTestEmail', `${path}/test_email`, { email_id: emailId })
  await get('emails.explainSignature', `/v1/emails/${emailId}/signature`)
  await get('emails.personalPage.get', `/v1/emails/${emailId}/personal_page`)
  await post('emails.personalPage.rotate', `/v1/emails/${emailId}/personal_page/rotate`)
  await post('emails.install', `/v1/emails/${emailId}/install`, { signature_id: id })
  await post('signatures.install', `${path}/install`)
  await get('signatures.installationProgress', `${path}/installation`)
  const [installation] = await get('installations.list', '/v1/installations?limit=1')
  await get('installations.get', `/v1/installations/${installation.id}`)
  await post('signatures.invite', `${path}/invite`)
  const [version] = await get('signatures.versions.list', `${path}/versions`)
  await get('signatures.versions.get', `${path}/versions/${version.id}`)
  await post('signatures.versions.restore', `${path}/versions/${version.id}/restore`)
  await post('signatures.duplicate', `${path}/duplicate`, {
    signature: { name: 'Sourcing team, spring' },
  })
  return path
}

async function recordVariants(path: string, emailId: string): Promise<void> {
  await patch('signatures.variants.update', `${path}/variants/reply`, {
    variant: { draft_content: { type: 'stack', children: [text('Robin Reyes, Northbean')] } },
  })
  const publish = `${path}/variants/reply/publish`
  await post('signatures.variants.publish', publish, { activated: true })
  recordAccepted('signatures.variants.publish', await sendAsManager(publish, { activated: true }))
  await get('signatures.variants.list', `${path}/variants`)
  await get('signatures.variants.get', `${path}/variants/reply`)
  await del('signatures.variants.reset', `${path}/variants/reply`)
  const [entity] = (await send('GET', '/v1/integration_entities?limit=1')).data
  await post('signatures.entities.add', `${path}/integration_entities`, {
    integration_entity_ids: [entity.id],
  })
  await del('signatures.entities.remove', `${path}/integration_entities/${entity.id}`)
  await post('signatures.recipients.removeMany', `${path}/emails/remove`, { email_ids: [emailId] })
  await post('signatures.deactivate', `${path}/deactivate`)
}

async function recordCampaign(): Promise<void> {
  const base = '/v1/marketing_campaigns'
  const { id } = await post('marketingCampaigns.create', base, {
    marketing_campaign: {
      name: 'Harvest fair',
      time_zone: 'Europe/Berlin',
      start_time: '2030-09-01T09:00',
      end_time: '2030-09-30T18:00',
      smart_fields_conditions: [[{ smart_field: 'department', values: ['Sales'] }]],
      content: banner,
    },
  })
  await get('marketingCampaigns.list', `${base}?limit=1`)
  await get('marketingCampaigns.get', `${base}/${id}`)
  await patch('marketingCampaigns.update', `${base}/${id}`, {
    marketing_campaign: { name: 'Harvest fair 2030' },
  })
  await get('marketingCampaigns.preview', `${base}/${id}/preview`)
  await get('marketingCampaigns.audience', `${base}/${id}/audience?limit=1`)
  await post('marketingCampaigns.schedule', `${base}/${id}/schedule`)
  await post('marketingCampaigns.pause', `${base}/${id}/pause`)
  await post('marketingCampaigns.resume', `${base}/${id}/resume`)
  const { data } = await send('GET', `${base}?limit=100`)
  const compared = data.find(({ variants, status }: Json) => variants.length > 1 && status === 'active')
  await get('marketingCampaigns.results', `${base}/${compared.id}/results`)
  await post('marketingCampaigns.promote', `${base}/${compared.id}/promote`, {
    variant_id: compared.variants[0].id,
  })
  await post('marketingCampaigns.end', `${base}/${compared.id}/end`)
}

async function recordLibrary(): Promise<void> {
  const field = await post('smartFields.create', '/v1/smart_fields', {
    smart_field: { label: `Office hours ${mail.slice(12, 20)}`, kind: 'text', fallback: 'Weekdays, 9–17' },
  })
  await get('smartFields.list', '/v1/smart_fields?limit=1')
  await get('smartFields.usage', '/v1/smart_fields/usage')
  await get('smartFields.get', `/v1/smart_fields/${field.id}`)
  await patch('smartFields.update', `/v1/smart_fields/${field.id}`, {
    smart_field: { fallback: 'Weekdays, 9–18' },
  })
  const folder = await post('folders.create', '/v1/folders', { folder: { name: 'Sourcing' } })
  await get('folders.list', '/v1/folders?limit=1')
  await get('folders.get', `/v1/folders/${folder.id}`)
  await patch('folders.update', `/v1/folders/${folder.id}`, { folder: { name: 'Sourcing and quality' } })
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
  const asset = await post('assets.create', '/v1/assets', {
    asset: { file_base64: dot, filename: 'logo.png', name: 'Logo', role: 'company_logo' },
  })
  await get('assets.list', '/v1/assets?limit=1')
  await get('assets.get', `/v1/assets/${asset.id}`)
  await patch('assets.update', `/v1/assets/${asset.id}`, { asset: { name: 'Logo, small' } })
  const apiKey = await post('apiKeys.create', '/v1/api_keys', {
    api_key: { name: 'HR system', scopes: ['teammates:read', 'teammates:write'] },
  })
  await get('apiKeys.list', '/v1/api_keys?limit=1')
  await get('apiKeys.get', `/v1/api_keys/${apiKey.id}`)
  await patch('apiKeys.update', `/v1/api_keys/${apiKey.id}`, { api_key: { name: 'HR system, nightly' } })
  await post('apiKeys.rotate', `/v1/api_keys/${apiKey.id}/rotate`)
}

async function recordWebhooks(): Promise<void> {
  const webhook = await post('webhooks.create', '/v1/webhooks', {
    webhook: {
      url: 'https://hooks.northbean.example/signoff',
      events: ['teammate.created', 'teammate.updated', 'teammate.deleted'],
    },
  })
  const path = `/v1/webhooks/${webhook.id}`
  await get('webhooks.list', '/v1/webhooks?limit=1')
  await get('webhooks.get', path)
  await patch('webhooks.update', path, { webhook: { events: ['teammate.created', 'teammate.deleted'] } })
  await post('webhooks.rotate', `${path}/rotate`)
  const delivery = await post('webhooks.test', `${path}/test`)
  await get('webhookDeliveries.list', `/v1/webhook_deliveries?webhook_id=${webhook.id}&limit=1`)
  await get('webhookDeliveries.get', `/v1/webhook_deliveries/${delivery.id}`)
  await post('webhookDeliveries.replay', `/v1/webhook_deliveries/${delivery.id}/replay`)
  const since = new Date(Date.now() - 3_600_000).toISOString()
  await post('webhooks.replay', `${path}/replay`, { since })
}

async function recordContent(emailId: string): Promise<void> {
  await get('content.schema', '/v1/content_schema')
  // The references in the schema would be taken for references of the document.
  const schema = examples['content.schema']
  if (schema) schema.answer.data.schema = { type: 'object', properties: {} }
  const content = { type: 'stack', children: [text('Robin Reyes')] }
  await post('content.preview', '/v1/content/preview', { content })
  await send('POST', '/v1/content/preview.png', { content })
  examples['content.previewPng'] = { request: { content } }
  await post('content.pictures', '/v1/content/pictures', {
    email_id: emailId,
    pictures: [
      { kind: 'asset', asset_id: await picture(), box: { width: 120, height: 60, shape: 'square' } },
      {
        kind: 'icon',
        icon: { name: 'phone', size: 16, color: '#667085', backgroundColor: null, shape: 'square' },
      },
    ],
  })
  await get('content.person', `/v1/content/person?email_id=${emailId}`)
  await post('content.import', '/v1/content/import', {
    html: `<table><tr><td><b>Robin Reyes</b><br>Head of Sourcing<br><a href="mailto:${mail}">${mail}</a></td></tr></table>`,
    email_id: emailId,
  })
}

/** A file as a directory, of which the second version lacks almost all people. */
async function recordDirectories(): Promise<void> {
  const [google] = (await send('GET', '/v1/integrations?limit=100')).data.filter(
    (one: Json) => one.kind === 'google_workspace',
  )
  await get('integrations.attributes', `/v1/integrations/${google.id}/attributes`)
  const { id } = await post('integrations.create', '/v1/integrations', {
    integration: {
      kind: 'csv',
      name: 'Export of HR',
      settings: { id_column: 'Number', group_columns: ['Department'] },
    },
  })
  const path = `/v1/integrations/${id}`
  await get('integrations.get', path)
  await get('integrations.list', '/v1/integrations?limit=1')
  await patch('integrations.update', path, { integration: { settings: { grace_days: 14 } } })
  await post('integrations.test', `${path}/test`)
  const header = 'Number,Email,First name,Department'
  const lines = Array.from({ length: 12 }, (_, n) => `${n},hr.${n}.${mail},Person ${n},Sales`)
  await readFileAsDirectory([header, ...lines].join('\n'))
  await readFileAsDirectory([header, ...lines.slice(0, 1)].join('\n'))
  const [held] = (await send('GET', `/v1/sync_runs?status=held&integration_id=${id}`)).data
  await get('syncRuns.get', `/v1/sync_runs/${held.id}`)
  await get('syncRuns.list', '/v1/sync_runs?limit=1')
  const relayed = await get('relayMessages.list', '/v1/relay_messages?limit=1')
  await get('relayMessages.get', `/v1/relay_messages/${relayed[0].id}`)
  await post('syncRuns.approve', `/v1/sync_runs/${held.id}/approve`)
  await post('teammates.sync', '/v1/teammates/sync', { integration_id: google.id, dry_run: true })
  await del('integrations.delete', path)
}

async function readFileAsDirectory(file: string): Promise<void> {
  const { id, guessed_mapping: mapping } = (
    await send('POST', '/v1/imports', { file_base64: Buffer.from(file).toString('base64') })
  ).data
  await send('POST', `/v1/imports/${id}/apply`, { mapping, mode: 'directory' })
  while ((await send('GET', `/v1/imports/${id}`)).data.state === 'running')
    await new Promise(resolve => setTimeout(resolve, 100))
}

async function recordAnalytics(): Promise<void> {
  await post('analytics.events.record', '/v1/analytics/events', {
    event: {
      name: 'demo_booked',
      value: 1200,
      currency: 'EUR',
      user_id: 'customer-7',
      event_id: `booking-${mail}`,
      properties: { plan: 'team' },
    },
  })
  await get('analytics.events.list', '/v1/analytics/events?limit=1')
  await get('analytics.events.summary', '/v1/analytics/events/summary')
  await get('analytics.visitors.list', '/v1/analytics/visitors?limit=1')
  await get('analytics.overview', '/v1/analytics/overview?interval=week')
  await get('analytics.breakdown', '/v1/analytics/breakdown?dimension=marketing_campaign&limit=1')
  await get('analytics.views', '/v1/analytics/views')
  await get('analytics.clicks', '/v1/analytics/clicks?group_by=signature_template&limit=1')
}

await recordWorkspace()
await recordChecklist()
await recordPublicationRequests()
const { emailId } = await recordPeople()
await recordImport()
await recordDirectories()
await recordProfileChanges()
await recordVariants(await recordSignature(emailId), emailId)
await recordCampaign()
await recordLibrary()
await recordContent(emailId)
await recordAnalytics()
await recordWebhooks()
await recordSso()
await recordMembers()
await recordChangesOfMany()
const sorted = Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)))
const file = join(import.meta.dirname, '../../src/api/examples.json')
await writeFile(file, `${JSON.stringify(sorted, null, 1)}\n`)
console.log(`${Object.keys(sorted).length} examples`)
