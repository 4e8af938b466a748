// Tools that design signatures, from the first draft to the published version.
import type { JsonRecord } from '../api.ts'
import { rowsPerPage } from '../bounds.ts'
import { argumentsOf, schemaOf } from '../schemas.ts'
import { listTool, routeTool, type ToolDefinition } from '../tool.ts'
import { precedenceRoutes, wordsOfPrecedence } from './precedence.ts'

const id = { id: 'signature_id' }
const contentNote = 'A content tree; see get_content_schema.'

const listSignatures = listTool({
  name: 'list_signatures',
  title: 'Signatures',
  description:
    'The signatures of the workspace, newest first, without their content. Use it to find a signature_id. Of the signatures that reach an address, the one with the lowest priority wins. last_published_at is null for one that was never published.',
  route: 'signatures.list',
  without: ['include_content'],
  rows: 'signatures',
})

const getSignature: ToolDefinition = {
  name: 'get_signature',
  title: 'Signature with its content',
  description:
    'One signature with its published content and its draft_content. has_unpublished_changes tells whether publishing would change anything. Read it before update_signature, and send the whole changed tree back. With versions: true also the ids of the published versions, for restore_version.',
  effect: 'reads',
  routes: ['signatures.get', 'signatures.versions.list'],
  input: () =>
    schemaOf({ signature_id: { type: 'string' }, versions: { type: 'boolean', default: false } }, [
      'signature_id',
    ]),
  async run({ signature_id, versions }, calls) {
    const answer = await calls.json('signatures.get', { id: signature_id })
    const { name } = answer.data as JsonRecord
    const listed =
      versions === true
        ? await calls.json('signatures.versions.list', { id: signature_id, limit: rowsPerPage })
        : undefined
    return {
      summary: `The signature ${JSON.stringify(name)}.`,
      answer: { ...answer, ...(listed && { versions: listed.data }) },
    }
  },
}

const createSignature = routeTool({
  name: 'create_signature',
  title: 'Create a signature',
  description:
    'Creates a signature as a draft: no recipient sees it before publish_signature. Give template_id (from list_templates, the quickest way) or draft_content, not both. Next: preview_signature, set_recipients, check_signature, publish_signature. A 422 lists the path of every wrong value: correct those and call again.',
  effect: 'creates',
  route: 'signatures.create',
  about: { draft_content: contentNote, template_id: 'From list_templates.' },
  summary: ({ data }, args) => {
    const { id: signatureId, priority } = data as JsonRecord
    const isLast = Number(priority) > 0 && (args.priority ?? null) === null
    const place = isLast
      ? ` It stands last (priority ${priority}): a person whom another signature reaches too gets that one. update_signature with a lower priority changes this.`
      : ''
    return `Created as a draft: signature_id ${signatureId}.${place} Next: preview_signature.`
  },
})

const updateSignature = routeTool({
  name: 'update_signature',
  title: 'Change a signature or its draft',
  description:
    'Changes the name, folder, priority or draft; only what you send changes, but draft_content replaces the whole draft: read it with get_signature first. Recipients see nothing new before publish_signature.',
  effect: 'overwrites',
  route: 'signatures.update',
  names: id,
  about: { draft_content: `${contentNote} Null clears the draft.` },
  summary: () => 'Changed. Next: preview_signature; publish_signature makes the draft live.',
})

const importSignature = routeTool({
  name: 'import_signature',
  title: 'Content from the HTML of a signature',
  description:
    'Turns the HTML of an existing signature into content; no signature is created. Pictures are fetched and stored as assets. With email_id, texts that are values of that person become smart fields. Read not_mapped: it lists what was left out. Next: create_signature with the content as draft_content.',
  effect: 'creates',
  isOpenWorld: true,
  route: 'content.import',
  summary: () =>
    'Converted. Send content to create_signature as draft_content; not_mapped lists what is missing.',
})

const checkSignature = routeTool({
  name: 'check_signature',
  title: 'Find problems before publishing',
  description:
    'Checks the draft against the recipients that the signature has now: missing values, broken links, contrast, size. An error makes publishing fail; mend warnings too. Each problem names the blocks and how many recipients it concerns. Call it before publish_signature.',
  effect: 'reads',
  route: 'signatures.check',
  names: id,
  summary: ({ data }) => {
    const { problems } = data as { readonly problems: readonly JsonRecord[] }
    const errors = problems.filter(({ severity }) => severity === 'error').length
    if (problems.length === 0) return 'No problems.'
    return `${errors} errors, ${problems.length - errors} warnings.${errors > 0 ? ' Mend the errors before publish_signature.' : ''}`
  },
})

const publishSignature: ToolDefinition = {
  name: 'publish_signature',
  title: 'Publish a signature, or take it out of use',
  description:
    'Makes the draft live for all recipients: their mailboxes are written in the background (list_installations shows how far). Ask the user before you call it, and call check_signature first. deactivate: true takes the signature out of use instead; recipients fall to their next one. force publishes content that shows nothing. In a workspace that wants approvals, a manager gets a publication request instead: nothing is live yet.',
  effect: 'overwrites',
  routes: ['signatures.publish', 'signatures.deactivate', ...precedenceRoutes],
  needs: ['signatures.publish', 'signatures.deactivate'],
  input: routeNamed => {
    const { properties, ...schema } = argumentsOf(routeNamed('signatures.publish'), { names: id })
    return { ...schema, properties: { ...properties, deactivate: { type: 'boolean', default: false } } }
  },
  async run({ signature_id, deactivate, ...args }, calls) {
    if (deactivate === true) {
      const answer = await calls.json('signatures.deactivate', { id: signature_id })
      return { summary: 'The signature is out of use.', answer: withoutContent(answer) }
    }
    const answer = await calls.json('signatures.publish', { id: signature_id, ...args })
    if (isRequest(answer))
      return {
        summary:
          'NOT published: this workspace wants approvals, so a publication request was made. The signature goes live when an owner or admin approves it. Tell the user; calling again changes nothing.',
        answer: withoutContent(answer),
      }
    const precedence = await wordsOfPrecedence(calls, signature_id)
    return {
      summary: `Published. Mailboxes are written in the background: see list_installations.${precedence}`,
      answer: withoutContent(answer),
    }
  },
}

/** A publish by a manager, where the workspace wants approvals, answers with a publication request. */
const isRequest = ({ data }: JsonRecord): boolean => 'requested_by' in (data as JsonRecord)

/** The agent has sent the content itself, or can read it with get_signature. */
const withoutContent = (answer: JsonRecord): JsonRecord => {
  const { content: _, draft_content: __, before: ___, after: ____, ...data } = answer.data as JsonRecord
  return { ...answer, data }
}

const restoreVersion = routeTool({
  name: 'restore_version',
  title: 'Bring back a published version',
  description:
    'Copies a published version into the draft, which is overwritten. get_signature with versions: true lists the versions. Nothing is live before publish_signature.',
  effect: 'overwrites',
  route: 'signatures.versions.restore',
  names: id,
  summary: () => 'The version is the draft now. Next: preview_signature, publish_signature.',
})

export const signatureTools: readonly ToolDefinition[] = [
  listSignatures,
  getSignature,
  createSignature,
  updateSignature,
  importSignature,
  checkSignature,
  publishSignature,
  restoreVersion,
]
