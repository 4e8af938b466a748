// Right and wrong uses of the SDK. Never run: `tsc -p sdk` fails when a right one is refused or a wrong one accepted.
import {
  type Content,
  type ListCall,
  type Signature,
  Signoff,
  SignoffError,
  type Teammate,
  ValidationError,
  verifyWebhook,
} from '@signoff/sdk'

export async function rightUses(signoff: Signoff): Promise<void> {
  const created: Signature = await signoff.signatures.create({
    name: 'Sales',
    template_id: 'corporate-classic',
  })
  const { warnings } = (await signoff.signatures.publish(created.id, { force: true }).raw()).body
  warnings?.map(warning => warning.code)
  const content: Content = { type: 'stack', children: [{ type: 'text', tokens: [{ value: 'Hello' }] }] }
  await signoff.signatures.update(created.id, { draft_content: content }, { ifMatch: '"x"' })
  // What was read can be sent again.
  await signoff.signatures.update(created.id, {
    draft_content: (await signoff.signatures.get(created.id)).content,
  })
  const page: Teammate[] = await signoff.teammates.list({ limit: 100, source: 'manual' })
  const list: ListCall<Teammate> = signoff.teammates.list()
  for await (const { email, smart_fields } of list)
    [email.length, smart_fields.map(({ value }) => value?.length)]
  const total: number = (await list.raw()).body.pagination.total_count
  const nothing: undefined = await signoff.teammates.delete('id', { signal: new AbortController().signal })
  const selection = (await signoff.signatures.recipients.list('id').raw()).body.selection
  selection.email_ids_count.toFixed()
  const png: Response = await signoff.signatures.previewPng('id', { theme: 'dark' })
  await signoff.content.previewPng({ content, theme: 'dark', width: 'phone' })
  await signoff.assets.create({ file_base64: await png.blob(), filename: 'a.png', role: 'company_logo' })
  await signoff.assets.create({ file_base64: new Uint8Array(3), filename: 'a.png' })
  await signoff.teammates.setImage('id', 'profile_picture', { file_base64: 'aGk=', filename: 'a.png' })
  await signoff.signatures.variants.get('id', 'reply')
  await signoff.emails.personalPage.rotate('id', {
    idempotencyKey: 'k',
    timeoutMs: 5,
    maxRetries: 0,
    headers: { a: 'b' },
  })
  await signoff.analytics.overview({ interval: 'week' })
  const views = await signoff.analytics.views({})
  views.length.toFixed()
  await signoff.workspace.get({ workspace: 'id' })
  const cookie: Signoff = new Signoff({ url: '/', credentials: 'include', workspace: 'id' })
  const event = await verifyWebhook<{ type: 'signature.published' }>('{}', new Headers(), ['a', 'b'])
  const word: 'signature.published' = event.type
  void [page, total, nothing, cookie, word]
}

export function errors(error: unknown): string | undefined {
  if (error instanceof ValidationError) return error.details.find(({ code }) => code === 'missing')?.field
  if (error instanceof SignoffError && error.code === 'timeout') return error.requestId
  // @ts-expect-error: there is no such code
  if (error instanceof SignoffError && error.code === 'time_out') return undefined
  // @ts-expect-error: there is no such property
  return error instanceof SignoffError ? error.reason : undefined
}

export async function wrongUses(signoff: Signoff): Promise<void> {
  // @ts-expect-error: the address is needed
  new Signoff({ key: 'k' })
  // @ts-expect-error: an unknown option
  new Signoff({ url: 'https://a.example', apiKey: 'k' })
  // @ts-expect-error: there is no such resource
  await signoff.templetes.list()
  // @ts-expect-error: there is no such method
  await signoff.templates.create({ name: 'x' })
  // @ts-expect-error: public routes are no methods
  await signoff.files
  // @ts-expect-error: an id is needed
  await signoff.teammates.get()
  // @ts-expect-error: an id is a string
  await signoff.teammates.get(7)
  // @ts-expect-error: the address of a teammate is needed
  await signoff.teammates.create({})
  // @ts-expect-error: the body is needed
  await signoff.teammates.create()
  // @ts-expect-error: the SDK adds the wrapper
  await signoff.teammates.create({ teammate: { email: 'a@example.com' } })
  // @ts-expect-error: an unknown property
  await signoff.teammates.create({ email: 'a@example.com', nickname: 'A' })
  // @ts-expect-error: not one of the allowed words
  await signoff.teammates.list({ source: 'import' })
  // @ts-expect-error: a number
  await signoff.teammates.list({ limit: '100' })
  // @ts-expect-error: not one of the words in the path
  await signoff.signatures.variants.get('id', 'forward')
  // @ts-expect-error: a required query parameter
  await signoff.analytics.breakdown()
  // @ts-expect-error: a single record is no list
  for await (const row of signoff.folders.get('id'))
    void row
    // @ts-expect-error: the rows, not the body
  ;(await signoff.folders.list()).pagination
  // @ts-expect-error: nothing comes back
  ;(await signoff.folders.delete('id')).id
  // @ts-expect-error: may be null
  ;(await signoff.signatures.get('id')).folder_id.length
  // @ts-expect-error: a picture is a Response
  ;(await signoff.signatures.previewPng('id')).html
  // @ts-expect-error: an unknown option of a call
  await signoff.folders.get('id', { etag: 'x' })
  // @ts-expect-error: a block that does not exist
  await signoff.content.preview({ content: { type: 'stack', children: [{ type: 'paragraph' }] } })
  // @ts-expect-error: a text block has tokens
  await signoff.content.preview({ content: { type: 'stack', children: [{ type: 'text', text: 'Hello' }] } })
  // @ts-expect-error: a file is bytes or base64
  await signoff.assets.create({ file_base64: 7, filename: 'a.png' })
  // @ts-expect-error: the name of a role
  await signoff.assets.create({ source_url: 'https://a.example/a.png', role: 'logo' })
  // @ts-expect-error: this answer has no such sibling
  ;(await signoff.folders.list().raw()).body.selection
  // @ts-expect-error: the secret is needed
  await verifyWebhook('{}', new Headers())
}
