// Tools about the way of signatures to mailboxes.
import { invalidArguments } from '../failure.ts'
import { schemaOf } from '../schemas.ts'
import { listTool, routeTool, type ToolDefinition } from '../tool.ts'

const listInstallations = listTool({
  name: 'list_installations',
  title: 'Installations',
  description:
    'One row for each signature, address and channel: pending, installed, drifted (changed in the mailbox afterwards), failed or uninstalled, with the reason. After publish_signature, filter by signature_template_id (the signature_id) to see how far it is; status: failed shows what needs attention. personal_page means that the person copies the signature from a private page.',
  route: 'installations.list',
  rows: 'installations',
})

const installSignature: ToolDefinition = {
  name: 'install_signature',
  title: 'Install again',
  description:
    'Writes a published signature into mailboxes again: for all its recipients (signature_id), or for one address (email_id). Publishing installs by itself; use this only for mailboxes that were changed from outside or that failed. Progress: list_installations.',
  effect: 'repeats',
  routes: ['signatures.install', 'emails.install'],
  input: () =>
    schemaOf({
      signature_id: { type: 'string', description: 'For all recipients of this signature.' },
      email_id: { type: 'string', description: 'For this address only.' },
    }),
  async run({ signature_id, email_id }, calls) {
    const message = 'Send signature_id or email_id'
    if (email_id === undefined && signature_id === undefined)
      throw invalidArguments([{ field: 'signature_id', code: 'missing', message }])
    const answer =
      email_id === undefined
        ? await calls.json('signatures.install', { id: signature_id })
        : await calls.json('emails.install', { id: email_id, signature_id })
    return { summary: 'Queued. list_installations shows the progress.', answer }
  },
}

const sendTestEmail = routeTool({
  name: 'send_test_email',
  title: 'Mail the draft to colleagues',
  description:
    'Mails the draft of a signature to the member who owns the key, or to up to five addresses of teammates and members (to). Ask the user before you mail other people. Ten mails an hour.',
  effect: 'creates',
  isOpenWorld: true,
  route: 'signatures.sendTestEmail',
  names: { id: 'signature_id' },
  summary: () => 'The mail is on its way.',
})

export const deliveryTools: readonly ToolDefinition[] = [listInstallations, installSignature, sendTestEmail]
